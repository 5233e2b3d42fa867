"""Settings put together from the environment, a file and the command line, and checked before anything starts.

Whatever is wrong is told at once, all of it: where, which setting, and what it should be. What is secret is not echoed.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, inspect

from forcepool.files.disk import unread
from forcepool.web.meters import EXTRA, installed
from forcepool.web.post.address import is_mail_address
from forcepool.web.settings import Settings

PREFIX, NAMES_THE_FILE = "FORCEPOOL_", "FORCEPOOL_SETTINGS"
IN_A_FILE = "_FILE"
"""After the name of a secret: the file it is in, as containers hand secrets over."""
OTHERS = frozenset(
    f"{PREFIX}{name}"
    for name in (
        *("SETTINGS", "TRACEBACK", "BROWSER", "CHROMIUM", "COMPLETE", "IN_WINDOW", "NO_BOX"),
        *("SOAK", "FUZZ", "API_FUZZ", "OFFERS", "RECKONER_TURNS", "SECRETS"),
    )
)
"""What else the environment may tell the program and its tests."""
HIDDEN = "***"
OPTION, DEFAULT = "--", "default"
SHORTEST_TOKEN = 16
HEADING = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")
ASSIGNED = re.compile(r"\s*([\w.-]+)\s*=")
AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class Setting(Struct, frozen=True):
    """One setting: its name, the type of its value, and what to say of it."""

    key: str
    """As options and messages have it: 'limits.campaigns'."""
    type: Any
    default: Any
    description: str
    secret: bool
    expects: str

    @property
    def variable(self) -> str:
        return PREFIX + self.key.replace(".", "_").upper()

    def shown(self, value: Any) -> Any:
        return HIDDEN if self.secret and value else value


class Given(Struct, frozen=True):
    """A value, and where it was given."""

    value: Any
    where: str


class BadSettings(Exception):
    """Settings that cannot be used; a line for each thing that is wrong."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class Found(Struct, frozen=True):
    """The settings, and where each was given that is not as it is by default."""

    settings: Settings
    given: Mapping[str, Given]

    def lines(self) -> Iterator[tuple[str, Any, str]]:
        """Each setting with its value, secrets hidden, and where it comes from."""
        for each in all_settings().values():
            value: Any = self.settings
            for part in each.key.split("."):
                value = getattr(value, part)
            yield each.key, each.shown(value), self.given[each.key].where if each.key in self.given else DEFAULT


# ------------------------------------------------------------------------------------------ what there is


@cache
def all_settings() -> dict[str, Setting]:
    """Every setting by its key, in order."""
    return {each.key: each for each in _of(Settings, "")}


def _of(shape: type[Struct], before: str) -> Iterator[Setting]:
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    hints = {each.name: each for each in msgspec.structs.fields(shape)}
    for each in info.fields:
        if isinstance(each.type, inspect.StructType):
            yield from _of(each.type.cls, f"{before}{each.name}.")
            continue
        meta, kind = each.type, each.type
        extra: dict[str, Any] = {}
        description = ""
        while isinstance(meta, inspect.Metadata):
            extra |= meta.extra or {}
            description = str((meta.extra_json_schema or {}).get("description", "")) or description
            meta = kind = meta.type
        yield Setting(
            f"{before}{each.name}",
            hints[each.name].type,
            each.default,
            description,
            bool(extra.get("secret")),
            _expected(kind),
        )


def _expected(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
    return "a text"


# --------------------------------------------------------------------------------------- where they come from


def read_settings(options: Mapping[str, Any], *, file: str = "", environment: Mapping[str, str] | None = None) -> Found:
    """The settings of all three sources, or BadSettings. Options that are None were not given."""
    environment = os.environ if environment is None else environment
    wrong: list[str] = []
    given: dict[str, Given] = {}
    named = file or environment.get(NAMES_THE_FILE, "")
    for source in (
        _of_environment(environment, wrong),
        _of_file(Path(named), wrong) if named else {},
        {key: Given(value, OPTION + key.replace(".", "-")) for key, value in options.items() if value is not None},
    ):
        given |= source
    values: dict[str, Any] = {}
    for key, each in given.items():
        setting = all_settings()[key]
        try:
            # What the environment tells is always a text.
            value = msgspec.convert(each.value, setting.type, strict=not each.where.startswith(PREFIX))
        except msgspec.ValidationError:
            got = "" if setting.secret else f", not {_told(each.value)}"
            wrong.append(f"{each.where}: {_named(each.where, key)}{setting.expects} is expected{got}")
            continue
        *tables, name = key.split(".")
        place = values
        for table in tables:
            place = place.setdefault(table, {})
        place[name] = value
    if wrong:
        raise BadSettings(wrong)
    settings = msgspec.convert(values, Settings)
    if wrong := [f"{_where(given, key)}{says}" for key, says in unusable(settings)]:
        raise BadSettings(wrong)
    return Found(settings, given)


def _named(where: str, key: str) -> str:
    return "" if where.startswith((PREFIX, OPTION)) else f"{key}: "


def _where(given: Mapping[str, Given], key: str) -> str:
    found = given.get(key)
    return f"{key}: " if found is None else f"{found.where}: {_named(found.where, key)}"


def _told(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def _of_environment(environment: Mapping[str, str], wrong: list[str]) -> dict[str, Given]:
    by_name = {each.variable: each for each in all_settings().values()}
    by_file = {each.variable + IN_A_FILE: each for each in by_name.values() if each.secret}
    found: dict[str, Given] = {}
    for name, value in sorted(environment.items()):
        if not name.startswith(PREFIX) or name in OTHERS:
            continue
        if name in by_name:
            # A variable that is there and empty is what compose files make of one that nobody set.
            if value:
                found[by_name[name].key] = Given(value, name)
        elif name in by_file:
            try:
                found[by_file[name].key] = Given(Path(value).read_text(encoding="utf-8").strip(), name)
            except (OSError, UnicodeDecodeError) as error:
                why, remedy = unread(error)
                wrong.append(f"{name}: {value} cannot be read ({why.lower()}); {remedy}")
        else:
            wrong.append(f"{name}: there is no such setting{_suggested(name, [*by_name, *by_file])}")
    return found


def _suggested(name: str, names: list[str]) -> str:
    near = get_close_matches(name, names, 1)
    return f"; did you mean {near[0]}?" if near else "; 'forcepool serve --check' lists them"


def _of_file(path: Path, wrong: list[str]) -> dict[str, Given]:
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = AT_LINE.search(str(error))
        place = f"{path}:{at[1]}:{at[2]}" if at else str(path)
        wrong.append(f"{place}: this is no TOML ({AT_LINE.sub('', str(error)).lower()})")
        return {}
    except (OSError, UnicodeDecodeError) as error:
        why, remedy = unread(error)
        wrong.append(f"{path}: the settings cannot be read ({why.lower()}); {remedy}")
        return {}
    lines, known = _lines(text), all_settings()
    found: dict[str, Given] = {}
    for key, value in _flat(data, ""):
        line = lines.get(key)
        where = f"{path}:{line}" if line else str(path)
        if key in known:
            found[key] = Given(value, where)
        elif any(each.startswith(f"{key}.") for each in known):
            wrong.append(f"{where}: {key}: a table is expected, [{key}] on a line of its own")
        else:
            wrong.append(f"{where}: {key}: there is no such setting{_suggested(key, [*known])}")
    return found


def _flat(data: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _lines(text: str) -> dict[str, int]:
    """The line on which each key of a file stands, as far as one sees it without reading TOML."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := HEADING.match(line):
            table = f"{heading[1]}."
        elif assigned := ASSIGNED.match(line):
            found.setdefault(f"{table}{assigned[1]}", number)
    return found


# --------------------------------------------------------------------------------------- what does not go together


def unusable(settings: Settings) -> Iterator[tuple[str, str]]:
    """What is well formed and cannot be used: the setting, and what is wrong with it."""
    if settings.host not in ("", "127.0.0.1", "localhost") and not settings.public:
        yield (
            "host",
            f"only a public server lets other machines in; leave {settings.host} out, or set public (--public)",
        )
    if settings.address and not _is_address(settings.address):
        yield "address", f"an address like https://war.example.org is expected, not '{settings.address}'"
    if not all(_is_network(each.strip()) for each in settings.proxies.split(",") if each.strip()):
        yield "proxies", f"addresses like 127.0.0.1 or 10.1.0.0/16 are expected, with commas, not '{settings.proxies}'"
    if settings.database and urlsplit(settings.database).scheme not in ("postgresql", "postgres"):
        yield "database", "an address like postgresql://name:password@machine/database is expected"
    if settings.workers > 1 and not settings.database:
        yield "workers", "several workers need a database (--database): files are written by one process"
    if settings.metrics.token and len(settings.metrics.token) < SHORTEST_TOKEN:
        yield "metrics.token", f"{SHORTEST_TOKEN} letters or more are expected, so that nobody guesses them"
    if (settings.metrics.token or settings.metrics.listen) and not installed():
        key = "metrics.token" if settings.metrics.token else "metrics.listen"
        yield key, f"metrics need a package that is not installed: {EXTRA}"
    if settings.metrics.listen and not _is_private(settings.metrics.listen):
        yield (
            "metrics.listen",
            f"an address of this machine or the own network with its port is expected, such as 127.0.0.1:9141, not "
            f"'{settings.metrics.listen}'; elsewhere use metrics.token",
        )
    yield from _unusable_mail(settings)


def _unusable_mail(settings: Settings) -> Iterator[tuple[str, str]]:
    mail = settings.mail
    if not mail.server:
        if mail.user or mail.password or mail.sender:
            yield "mail.server", "the machine that takes the mail is expected, such as mail.example.org"
        return
    if not settings.address:
        yield "address", "mail leads to the server: say where players reach it, https://war.example.org"
    if not is_mail_address(mail.sender):
        yield "mail.sender", f"an address like war@example.org is expected, not '{mail.sender}'"
    if bool(mail.user) != bool(mail.password):
        yield "mail.user", "name and password are given together, or neither"
    if mail.security == "none" and not _is_here(mail.server):
        yield "mail.security", f"without it whoever stands between reads the mail to {mail.server}; use starttls or tls"


def _is_here(machine: str) -> bool:
    try:
        return ip_address(machine).is_loopback
    except ValueError:
        return machine == "localhost"


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - it is read here for the first time
    except ValueError:
        return False
    bare = parts.path in ("", "/") and not parts.query and "@" not in parts.netloc
    return parts.scheme in ("http", "https") and bool(parts.hostname) and bare


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def listens_at(listen: str) -> tuple[str, int]:
    """The machine's address and the port of '127.0.0.1:9141' or '[::1]:9141'; ValueError for anything else."""
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    address = ip_address("127.0.0.1" if host == "localhost" else host)
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(listen)
    return str(address), int(port)


def _is_private(listen: str) -> bool:
    try:
        address = ip_address(listens_at(listen)[0])
    except ValueError:
        return False
    # All addresses (0.0.0.0) count as private by the books, and are the opposite here.
    return address.is_private and not address.is_unspecified
