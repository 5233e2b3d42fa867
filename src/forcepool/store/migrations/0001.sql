-- The first format: campaigns with their entries, and the register of seats. A format once published is never edited.

create table campaign (
    id bigint generated always as identity primary key,
    name text collate "C" unique,           -- none while it is being made
    tries text collate "C",                 -- of a what-if: the campaign
    who text,                               -- and whose it is
    seq integer not null default 0,
    hash text not null default repeat('0', 64),
    indexed integer not null default 0,
    made timestamptz not null default now(),
    touched timestamptz not null default now(),
    check ((tries is null) = (who is null)));
create unique index one_whatif_a_seat on campaign (tries, who);

create table entry (
    campaign bigint not null references campaign (id) on delete cascade,
    seq integer not null check (seq > 0),
    hash text not null,
    body bytea not null,
    primary key (campaign, seq));

create table snapshot (
    campaign bigint not null references campaign (id) on delete cascade,
    number integer not null,
    seq integer not null,
    digest text not null,
    body bytea not null,
    primary key (campaign, number),
    unique (campaign, seq));

create table seed (
    campaign bigint not null references campaign (id) on delete cascade,
    seq integer not null,
    seed bytea not null,
    primary key (campaign, seq));

create table subject (
    campaign bigint not null references campaign (id) on delete cascade,
    subject text collate "C" not null,
    seq integer not null,
    primary key (campaign, subject, seq));

create function entry_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        -- What-ifs and campaigns that were never finished are swept, and their entries with them.
        if not exists (select 1 from campaign where id = old.campaign and name is not null and tries is null) then
            return old;
        end if;
    end if;
    raise exception 'an entry of the journal is never changed or removed';
end $$;
create trigger entry_stays before update or delete on entry for each row execute function entry_stays();

create function campaign_stays() returns trigger language plpgsql as $$
begin
    if old.name is not null and old.tries is null then
        raise exception 'a campaign is never removed';
    end if;
    return old;
end $$;
create trigger campaign_stays before delete on campaign for each row execute function campaign_stays();

-- The register of seats: the same tables as in its file.

create table secret (one integer primary key default 1 check (one = 1), value text not null);
create table invitation (
    id bigint generated always as identity primary key, campaign text not null, role text not null, side text not null,
    front text not null, name text not null, digest text not null unique, made text not null,
    used text not null default '', ended text not null default '');
create index on invitation (campaign);
create table sitting (
    session text not null, campaign text not null, invitation bigint not null references invitation (id),
    primary key (session, campaign));
create table chosen (
    session text not null, campaign text not null, side text not null, primary key (session, campaign));
create table key (
    rowid bigint generated always as identity, digest text primary key,
    invitation bigint not null references invitation (id));
create index on key (invitation);
create table looked (
    who text not null, campaign text not null, entry integer not null, primary key (who, campaign));
create table tick (
    who text not null, campaign text not null, moment text not null, item text not null,
    primary key (who, campaign, moment, item));
create table news (
    who text not null, campaign text not null, moment text not null, known text not null, shown text not null,
    primary key (who, campaign));
create table plan (
    id bigint generated always as identity primary key, who text not null, campaign text not null,
    entry integer not null, body bytea not null, followed integer not null default 0);
create index on plan (who, campaign);
create table part (campaign text not null, secret bytea not null);
create index on part (campaign);
create table hook (
    id bigint generated always as identity primary key, invitation bigint not null, campaign text not null,
    url text not null, secret text not null);
create index on hook (campaign);

create table standing (
    campaign text primary key, state text not null, note text not null, since text not null);
create table address (
    invitation bigint primary key, mail text not null, wish text not null, problem text not null default '',
    told text not null default '', entry integer not null default 0, queued text not null default '',
    due bigint not null default 0, tries integer not null default 0, sent bigint not null default 0);
create table letter (
    digest text primary key, kind text not null, mail text not null, invitation bigint not null,
    made bigint not null, dead integer not null default 0);

-- What the workers of a server share beside it.

create table bell (campaign text primary key, seq integer not null, stood text not null);
create table job (
    who text primary key,
    number bigint not null,
    worker text not null,
    title text not null,
    task bytea not null,
    state text not null,
    done integer not null default 0,
    total integer not null default 0,
    mark integer not null default 0,
    result bytea,
    file text not null default '',
    body bytea,
    begun timestamptz not null default now(),
    ended timestamptz,
    beat timestamptz not null default now());
create sequence job_number;
