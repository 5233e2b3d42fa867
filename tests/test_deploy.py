"""What is in deploy/ fits the program: its options and settings exist, its files can be read, its steps can be run."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.applications import Starlette

from forcepool.cli.serve import serve_command
from forcepool.web.serving import Server
from forcepool.web.settings import Settings
from forcepool.web.settings_read import read_settings
from tests.test_project import ROOT

DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "forcepool.service").read_text("utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
GIVEN = {"DATABASE_PASSWORD": "p4ssw0rd", "SITE": "war.example.org", "METRICS_TOKEN": "sixteen-letters-or-more"}


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each on one line."""
    text = re.sub(r"^#.*\n", "", CONTAINER, flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines()) if word]


def of_container() -> dict[str, str]:
    """The environment that the image sets."""
    found: dict[str, str] = {}
    for word, rest in steps():
        if word == "ENV":
            found |= dict(pair.split("=", 1) for pair in shlex.split(rest))
    return found


def of_compose(service: str) -> dict[str, str]:
    """A service's environment, with what its operator gives put in."""
    given: dict[str, str] = COMPOSE["services"][service]["environment"]
    return {
        name: re.sub(r"\$\{(\w+)(?::[?-][^}]*)?\}", lambda found: GIVEN[found[1]], value)
        for name, value in given.items()
    }


def test_every_option_that_is_used_exists() -> None:
    known = {option for each in serve_command.params for option in each.opts}
    used = re.findall(r"forcepool serve (.*)", UNIT + (DEPLOY / "forcepool.toml").read_text("utf-8"))
    (command,) = (rest for word, rest in steps() if word == "CMD")
    used.append(" ".join(yaml.safe_load(command)[2:]))
    words = {word.strip("'\"") for line in used for word in line.split() if word.startswith("--")}
    assert {"--settings", "--check", "--no-browser"} <= words
    assert words - known == set()


def test_the_environment_of_the_containers_makes_a_server() -> None:
    found = read_settings({}, environment=of_container() | of_compose("server")).settings
    assert (found.public, found.port, found.workers, found.https) == (True, 8041, 2, True)
    assert found.address == "https://war.example.org"
    assert found.database == "postgresql://forcepool:p4ssw0rd@database/forcepool"
    without = of_compose("server") | {"FORCEPOOL_METRICS_TOKEN": ""}
    assert read_settings({}, environment=of_container() | without).settings.metrics.token == ""
    assert read_settings({}, environment=of_container()).settings.folder == "/var/lib/forcepool"


def test_the_services_fit_each_other() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"database", "server", "proxy"}
    url = of_compose("server")["FORCEPOOL_DATABASE"]
    database = of_compose("database")
    user, name, password = (database[f"POSTGRES_{each}"] for each in ("USER", "DB", "PASSWORD"))
    assert url == f"postgresql://{user}:{password}@database/{name}"
    assert services["server"]["ports"] == ["127.0.0.1:8041:8041"], "strangers come through the proxy only"
    assert "ports" not in services["database"]
    assert "reverse_proxy server:8041" in (DEPLOY / "Caddyfile").read_text("utf-8")
    assert (DEPLOY / services["server"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["server"]["build"]["dockerfile"]).is_file()
    used = {volume.partition(":")[0] for each in services.values() for volume in each.get("volumes", ())}
    assert {each for each in used if not each.startswith(".")} == set(COMPOSE["volumes"])


def test_the_proxy_hangs_up_before_the_server() -> None:
    """The other way round, an order may be sent on a line that the server is just closing."""
    kept = re.search(r"keepalive (\d+)s", (DEPLOY / "Caddyfile").read_text("utf-8"))
    assert kept is not None
    server = Server(Starlette(), Settings())
    assert int(kept[1]) < server.config.timeout_keep_alive


def test_the_example_of_a_settings_file_can_be_used(tmp_path: Path) -> None:
    text = (DEPLOY / "forcepool.toml").read_text("utf-8")
    file = tmp_path / "settings"
    file.write_text(text, "utf-8")
    assert read_settings({}, file=str(file), environment={}).settings.metrics.listen == "127.0.0.1:9141"
    file.write_text(re.sub(r"^# (database|workers)", r"\1", text, flags=re.MULTILINE), "utf-8")
    assert read_settings({}, file=str(file), environment={}).settings.workers == 2


def test_the_steps_of_the_container_name_what_is_there(tmp_path: Path) -> None:
    """A dry run: the files that are copied exist, the shell reads each step, and the lock becomes constraints."""
    for word, rest in steps():
        if word == "COPY" and not rest.startswith("--from"):
            for name in rest.split()[:-1]:
                assert (ROOT / name).exists(), name
        if word == "RUN":
            assert subprocess.run(["sh", "-n", "-c", rest], check=False).returncode == 0, rest
    (first, *_) = (rest for word, rest in steps() if word == "RUN")
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    subprocess.run(["sh", "-c", first.partition("&&")[0]], cwd=tmp_path, check=True)
    lines = (tmp_path / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert any(line.startswith("starlette==") for line in pinned)
    assert [line for line in pinned if not re.fullmatch(r"[\w.-]+(\[[\w,-]+\])?==[^\\]+", line.strip())] == []
    for extra in re.findall(r"\[([\w,]+)\]", first)[0].split(","):
        assert f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text("utf-8"), extra


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("no systemd-analyze was found")
    # The program is not installed there on this machine; any other serves to look at the rest.
    unit = tmp_path / "forcepool.service"
    unit.write_text(UNIT.replace("/usr/local/lib/forcepool/bin/forcepool", shutil.which("true") or ""), "utf-8")
    ran = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True, check=False)
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if "forcepool.service" in line]
    assert said == []
