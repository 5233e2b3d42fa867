"""What every test shares: the listening run, and hypothesis profiles."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.listening import (
    WorkerEar,
    pytest_addoption,
    pytest_runtest_call,
    pytest_sessionfinish,
    pytest_terminal_summary,
)
from tests.support.listening import pytest_collection_modifyitems as _check_claims
from tests.support.listening import pytest_configure as _configure

if TYPE_CHECKING:
    from tests.support.postgres import Server

settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    _configure(config)
    config.pluginmanager.register(WorkerEar())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _check_claims(items)
    # A browser may fall over on a machine that is busy with other things; what is broken fails again.
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Server]":
    """A PostgreSQL of the tests' own."""
    from tests.support.postgres import running

    with running() as server:
        yield server


@pytest.fixture(scope="session")
def database(postgres: "Server") -> str:
    """The address of a database that tests share; each has campaigns of its own in it."""
    return postgres.new()


__all__ = [
    "pytest_addoption",
    "pytest_runtest_call",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
]
