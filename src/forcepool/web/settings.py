"""What a server is run with: every setting with its kind and what it is for.

They come from the environment, from a file and from the command line, and the later of these wins (`settings_read`).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Bytes = 1024 * 1024
SECRET = Meta(extra={"secret": True})
"""What is never shown: a word that opens something, or an address with one in it."""
Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1, le=10_000_000)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What one campaign and the whole server may take.

    At one's own machine only those hold that keep the server upright: connections, uploads and what waits.
    """

    campaigns: Annotated[Count, Meta(description="campaigns on this server")] = 1000
    megabytes: Annotated[Count, Meta(description="all campaigns together, on the disk or in the database")] = 100_000
    streams: Annotated[Count, Meta(description="pages and programs that wait for changes, in each worker")] = 800
    connections: Annotated[Count, Meta(description="connections at a time, in each worker")] = 900
    address_connections: Annotated[
        Count, Meta(description="of these from one address; a proxy on this machine is not counted")
    ] = 200
    memory_megabytes: Annotated[
        int,
        Meta(
            ge=0,
            description="what open campaigns may take in each worker, reckoned by their units; 0 for a quarter of this "
            "machine's memory between all workers",
        ),
    ] = 0
    upload_megabytes: Annotated[int, Meta(ge=1, le=64, description="what comes with one request")] = 4
    vassal_megabytes: Annotated[int, Meta(ge=1, le=1024, description="files of VASSAL that are brought to a page")] = 64
    campaign_units: Annotated[Count, Meta(description="units in one campaign")] = 20_000
    campaign_entries: Annotated[Count, Meta(description="entries in one campaign's journal")] = 1_000_000
    campaign_megabytes: Annotated[Count, Meta(description="one campaign, on the disk or in the database")] = 2000
    campaign_streams: Annotated[
        Count, Meta(description="pages and programs that wait for changes of one campaign, in each worker")
    ] = 200
    seat_streams: Annotated[Count, Meta(description="of these for one seat")] = 12
    seat_requests: Annotated[
        Count, Meta(description="requests of one seat that wait for each other, in each worker")
    ] = 40
    seat_processor: Annotated[
        int, Meta(ge=1, le=100, description="percent of a core that one seat may use on and on, in each worker")
    ] = 10


USUAL = Limits()
"""As they are where nobody set any."""


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may read /metrics; nobody, if neither is set."""

    token: Annotated[str, SECRET, Meta(description="a word of 16 letters or more that whoever asks must bring")] = ""
    listen: Annotated[
        str, Meta(description="an address of this machine or the own network, such as 127.0.0.1:9141, to ask at")
    ] = ""


class Mail(Struct, frozen=True, forbid_unknown_fields=True):
    """How mail is sent; none is, without a server."""

    server: Annotated[str, Meta(description="the machine that takes mail by SMTP, such as mail.example.org")] = ""
    port: Annotated[Port, Meta(description="its port; with 0 the usual one: 587, 465 with tls, 25 with none")] = 0
    security: Annotated[
        Literal["starttls", "tls", "none"],
        Meta(description="how the way there is kept secret; none only for a server on this machine"),
    ] = "starttls"
    user: Annotated[str, Meta(description="the name to sign in with, if the server asks for one")] = ""
    password: Annotated[str, SECRET, Meta(description="the password to sign in with")] = ""
    sender: Annotated[str, Meta(description="the address that mail comes from, such as war@example.org")] = ""
    hourly: Annotated[Count, Meta(description="mails in an hour at most, of all seats together")] = 500


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a server."""

    folder: Annotated[str, Meta(description="where the campaigns lie, unless they are in a database")] = "."
    database: Annotated[
        str, SECRET, Meta(description="postgresql://name:password@machine/database, to keep the campaigns there")
    ] = ""
    public: Annotated[bool, Meta(description="let others in, each with a seat by invitation")] = False
    host: Annotated[
        str, Meta(description="the address to listen on; if empty, 127.0.0.1, and all of them on a public server")
    ] = ""
    port: Annotated[Port, Meta(description="the port; with 0 the first free one from 8041 on")] = 0
    address: Annotated[
        str, Meta(description="where players reach it, https://war.example.org; invitations lead there")
    ] = ""
    https: Annotated[bool, Meta(description="pages are reached over https, through a proxy in front")] = False
    proxies: Annotated[
        str, Meta(description="the proxies in front, as addresses or networks with commas, that say for whom they ask")
    ] = "127.0.0.1"
    workers: Annotated[int, Meta(ge=1, le=64, description="processes that answer; several need a database")] = 1
    log: Annotated[
        Literal["off", "text", "json"], Meta(description="a line for each request and event, on standard error")
    ] = "off"
    metrics: Metrics = field(default_factory=Metrics)
    limits: Limits = field(default_factory=Limits)
    mail: Mail = field(default_factory=Mail)
