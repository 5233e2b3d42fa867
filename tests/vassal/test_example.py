"""The worked example: what is shipped is what we draw, and the page in the docs goes through with it."""

import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from forcepool.vassal import read_module, read_save
from tests.cli.conftest import forcepool_runs
from tests.support import vassal_example as example

PAGE = example.FOLDER.parents[1] / "docs" / "vassal.md"


def entries(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_what_is_shipped_is_what_we_draw() -> None:
    for name, data in example.files().items():
        assert entries((example.FOLDER / name).read_bytes()) == entries(data), "python -m tests.support.vassal_example"


def test_every_counter_of_the_module_has_its_pictures_and_every_save_its_counters() -> None:
    module = read_module(example.FOLDER / "smolensk.vmod")
    pictures = entries((example.FOLDER / "smolensk.vmod").read_bytes())
    save = read_save(example.FOLDER / "turn1.vsav")
    assert len(module.slots) == len(save.pieces) == len(example.beginning().units)
    for piece in save.pieces.values():
        assert module.slots[piece.gpid].name == piece.name
        assert all(f"images/{image}" in pictures for layer in piece.layers for image in layer.images)
        assert module.where(piece.at, save.boards)


def test_the_page_goes_through_match_sync_and_undo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command the page shows in a block is run, in its order; what it shows of the questions is what is asked."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(example.FOLDER, tmp_path / "examples" / "vassal")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    page = "".join(block for language, block in blocks if not language)
    commands = re.findall(r"^forcepool (.+)$", page, re.MULTILINE)
    assert [each.split()[1] for each in commands if each.startswith("vassal")] == [
        "match",
        "sync",
        "sync",
        "list",
        "read",
    ]
    said = []
    for each in commands:
        ran = forcepool_runs(*each.split(), typed="y\ny\ny\n")
        assert ran.code == 0, (each, ran)
        said.append(ran.out)
    told = "".join(said)
    for line in re.findall(r"^\d  .*has gone.*$|^lose .*$|^move-units .*$|^\d orders given.*$", page, re.MULTILINE):
        assert line.partition("? (")[0] in told
    assert not any(secret in told for secret in (example.ANNA, example.BERT))
