"""Settings from the environment, a file and options: which goes first, what is wrong and where, and no secret told."""

from pathlib import Path

import pytest

from forcepool.web.settings import Settings
from forcepool.web.settings_read import BadSettings, Found, all_settings, read_settings
from tests.cli.conftest import forcepool_runs

SECRET = "hunter2-is-a-long-word"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"
MAIL = "address = 'https://war.example.org'\n[mail]\nserver = 'mail.example.org'\n"


def problems(text: str = "", tmp_path: Path | None = None, **environment: str) -> list[str]:
    """What is told of settings that cannot be used, without the folder they are in."""
    file = ""
    if tmp_path is not None:
        (tmp_path / "server.toml").write_text(text, "utf-8")
        file = str(tmp_path / "server.toml")
    with pytest.raises(BadSettings) as told:
        read_settings({}, file=file, environment={f"FORCEPOOL_{key}": value for key, value in environment.items()})
    return [line.replace(f"{tmp_path}/", "") for line in told.value.lines]


def value(found: Found, key: str) -> tuple[object, str]:
    return next((what, where) for name, what, where in found.lines() if name == key)


def test_the_file_goes_before_the_environment_and_an_option_before_both(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("# ours\nport = 8002\nhttps = true\n\n[limits]\ncampaigns = 7\n", "utf-8")
    environment = {"FORCEPOOL_PORT": "8001", "FORCEPOOL_LOG": "json", "FORCEPOOL_LIMITS_CAMPAIGNS": "9", "PATH": "x"}
    found = read_settings({"port": 8003, "log": None}, file=str(file), environment=environment)
    assert found.settings.port == 8003
    assert value(found, "port") == (8003, "--port")
    assert value(found, "https") == (True, f"{file}:3")
    assert value(found, "limits.campaigns") == (7, f"{file}:6")
    assert value(found, "log") == ("json", "FORCEPOOL_LOG")
    assert value(found, "workers") == (1, "default")
    named = read_settings({}, environment={"FORCEPOOL_SETTINGS": str(file), "FORCEPOOL_PORT": "8001"})
    assert named.settings.port == 8002, "the environment may name the file"


def test_without_any_all_is_as_it_was() -> None:
    assert read_settings({}, environment={}).settings == Settings()
    empty = {"FORCEPOOL_DATABASE": "", "FORCEPOOL_TRACEBACK": "1"}
    assert read_settings({}, environment=empty).settings == Settings(), "compose files pass on what nobody set"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("port = 70000", "server.toml:1: port: a whole number from 0 to 65535 is expected, not 70000"),
        ("\nport = '80'", "server.toml:2: port: a whole number from 0 to 65535 is expected, not '80'"),
        ("public = 1", "server.toml:1: public: true or false is expected, not 1"),
        ("log = 'xml'", "server.toml:1: log: one of json, off, text is expected, not 'xml'"),
        ("prot = 80", "server.toml:1: prot: there is no such setting; did you mean port?"),
        ("[limit]\nunits = 3", "server.toml:2: limit.units: there is no such setting"),
        ("limits = 3", "server.toml:1: limits: a table is expected, [limits] on a line of its own"),
        ("port = = 3", "server.toml:1:8: this is no TOML (invalid value)"),
        ("host = 'war.example.org'", "server.toml:1: host: only a public server lets other machines in"),
        ("address = 'war.example.org'", "server.toml:1: address: an address like https://war.example.org is expected"),
        ("address = 'https://a:b@c'", "server.toml:1: address: an address like https://war.example.org is expected"),
        ("workers = 2", "server.toml:1: workers: several workers need a database (--database)"),
        ("[metrics]\nlisten = '0.0.0.0:9141'", "server.toml:2: metrics.listen: an address of this machine or the own"),
        ("[metrics]\nlisten = '8.8.8.8:9141'", "server.toml:2: metrics.listen: an address of this machine or the own"),
        ("[mail]\nsender = 'war@example.org'", "mail.server: the machine that takes the mail is expected"),
        (f"{MAIL}sender = 'war'", "server.toml:4: mail.sender: an address like war@example.org is expected"),
        (f"{MAIL}sender = 'a@b.org'\nuser = 'x'", "server.toml:5: mail.user: name and password are given together"),
        (f"{MAIL}sender = 'a@b.org'\nsecurity = 'none'", "server.toml:5: mail.security: without it whoever stands"),
        ("[mail]\nserver = 'm.org'\nsender = 'a@b.org'", "address: mail leads to the server: say where players"),
        ("[metrics]\nlisten = '127.0.0.1'", "server.toml:2: metrics.listen: an address of this machine or the own"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    (told,) = problems(text, tmp_path)
    assert told.startswith(says)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"nowhere\.toml: the settings cannot be read \(no such file"):
        read_settings({}, file=str(tmp_path / "nowhere.toml"), environment={})


def test_everything_wrong_is_told_together(tmp_path: Path) -> None:
    told = problems("port = 'x'\nprot = 1", tmp_path, WORKER="2", HTTPS="perhaps")
    assert [line.partition(": ")[0] for line in told] == [
        "FORCEPOOL_WORKER",
        "server.toml:2",
        "FORCEPOOL_HTTPS",
        "server.toml:1",
    ]
    assert "did you mean FORCEPOOL_WORKERS?" in told[0]


def test_private_addresses_may_be_listened_on_for_metrics() -> None:
    for address in ("127.0.0.1:9141", "localhost:9141", "10.1.2.3:80", "[::1]:9141"):
        assert read_settings({}, environment={"FORCEPOOL_METRICS_LISTEN": address}).settings.metrics.listen == address


def whatever_is_told(variable: str, value: str) -> str:
    try:
        return str(list(read_settings({}, environment={variable: value}).lines()))
    except BadSettings as error:
        return str(error)


def test_no_secret_is_ever_told(tmp_path: Path) -> None:
    secrets = [each for each in all_settings().values() if each.secret]
    assert {"database", "metrics.token"} <= {each.key for each in secrets}
    for each in secrets:
        for bad in (f"database://x:{SECRET}@y", SECRET[:8]):
            assert SECRET[:8] not in whatever_is_told(each.variable, bad)
    (line,) = problems(f"database = ['{SECRET}']", tmp_path)
    assert line == "server.toml:1: database: a text is expected"


def test_a_secret_may_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{SECRET}\n", "utf-8")
    found = read_settings({}, environment={"FORCEPOOL_METRICS_TOKEN_FILE": str(tmp_path / "token")})
    assert found.settings.metrics.token == SECRET
    assert value(found, "metrics.token") == ("***", "FORCEPOOL_METRICS_TOKEN_FILE")
    (told,) = problems(METRICS_TOKEN_FILE=str(tmp_path / "gone"))
    assert "cannot be read (no such file or directory)" in told
    assert problems(PORT_FILE="x") == ["FORCEPOOL_PORT_FILE: there is no such setting; did you mean FORCEPOOL_PORT?"]


def test_serve_tells_what_it_would_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCEPOOL_METRICS_TOKEN", SECRET)
    (tmp_path / "server.toml").write_text("port = 8002\n", "utf-8")
    words = ("serve", "--settings", str(tmp_path / "server.toml"), "--public", "--check")
    ran = forcepool_runs(*words)
    assert ran.code == 0
    assert SECRET not in ran.out + ran.err
    assert [line.split() for line in ran.out.splitlines() if line.startswith(("public", "metrics.token"))] == [
        ["public", "true", "--public"],
        ["metrics.token", "***", "FORCEPOOL_METRICS_TOKEN"],
    ]
    data = forcepool_runs(*words, "--json").data
    assert data["port"] == {"value": 8002, "from": f"{tmp_path / 'server.toml'}:1"}
    assert data["metrics.token"]["value"] == "***"
    monkeypatch.setenv("FORCEPOOL_METRICS_TOKEN", SECRET[:8])
    ran = forcepool_runs(*words)
    assert ran.code == 2
    assert "FORCEPOOL_METRICS_TOKEN: 16 letters or more are expected" in ran.err
    assert SECRET[:8] not in ran.out + ran.err


def test_the_documentation_names_every_setting_with_its_default() -> None:
    text = DOCS.read_text("utf-8")
    for each in all_settings().values():
        default = str(each.default).lower() if isinstance(each.default, bool) else str(each.default)
        row = f"| `{each.key}` | {f'`{default}`' if default else ''} | {each.description}"
        assert row.replace("|  |", "| |") in text, f"docs/hosting.md should have the row: {row}"
