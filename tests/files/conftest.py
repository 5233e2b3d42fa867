"""Both YAML parsers: the fast one in C, and the one in Python for machines without it."""

import pytest
import yaml

from forcepool.files import yamltext

LOADERS = [loader for name in ("CSafeLoader", "SafeLoader") if (loader := getattr(yaml, name, None))]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def any_parser(request, monkeypatch):
    monkeypatch.setattr(yamltext, "_LOADER", request.param)
