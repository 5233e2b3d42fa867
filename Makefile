# Everything a developer does, from a fresh machine with Python 3.11 or later and make.
# `make` alone lists the targets. To choose the Python: make test PYTHON=python3.12

.DEFAULT_GOAL := help
.PHONY: help demo test check browser postgres docs bench lock rulebook coverage clean bundle pictures demo-map demo-journal

VENV    := .venv
BIN     := $(VENV)/bin
RUN     := $(BIN)/python -m
# Newer than the lock and pyproject.toml when the environment holds what they ask for.
READY   := $(VENV)/.ready
PYTHON  ?=
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python)
UV      := $(shell command -v uv 2>/dev/null)
WORKERS ?= 2
SYSTEMS ?=

help: ## List the targets
	@echo "forcepool: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  %-13s %s\n", $$1, $$2 }'

demo: $(READY) ## Open the demonstration campaign in the browser
	$(BIN)/forcepool demo

test: check browser postgres ## Check the code, then run all tests
	$(RUN) pytest -n $(WORKERS)

check: $(READY) ## Lint, formatting and types
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy

# Browser tests use the Chromium at hand. Where this may install Debian's, it does; elsewhere they are skipped and say so.
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null 2>&1 && exit 0; done; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing chromium for the browser tests"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1 \
	    || echo "make: chromium could not be installed; the browser tests will be skipped" >&2; \
	else echo "make: no Chromium was found; the browser tests will be skipped" >&2; fi

# Tests of the database use Debian's PostgreSQL, started by themselves in a folder of their own; where this may, it installs it.
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && exit 0; command -v postgres >/dev/null 2>&1 && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing postgresql for the tests of the database"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >/dev/null 2>&1 \
	    || echo "make: postgresql could not be installed; the tests of the database will be skipped" >&2; \
	else echo "make: no PostgreSQL was found; the tests of the database will be skipped" >&2; fi

docs: $(READY) ## Build the documentation into docs/_build/html; a warning is an error
	$(RUN) sphinx -b html -W --keep-going docs docs/_build/html
	@echo "open docs/_build/html/index.html"

bench: $(READY) ## Run the benchmarks
	@test -f benchmarks/run.py || { echo "make bench: benchmarks/run.py does not exist yet" >&2; exit 1; }
	$(BIN)/python benchmarks/run.py

bundle: $(READY) ## Write a zip to double-click for Windows, macOS and Linux into dist (SYSTEMS=windows for one)
	@$(RUN) pip --version >/dev/null 2>&1 || $(RUN) ensurepip
	$(RUN) tools.bundle $(SYSTEMS)

pictures: $(READY) browser ## Take the pictures of the documentation anew, from the running program
	$(RUN) tools.pictures

demo-map: $(READY) ## Draw the demonstration's map and places again from their coordinates
	$(RUN) tools.east1941.geography

demo-journal: $(READY) ## Play the demonstration campaign again through the engine
	$(RUN) tools.east1941.play
	$(RUN) tests.campaigns.demonstration

rulebook: $(READY) ## Check the clauses and rebuild the file the program reads them from
	$(RUN) forcepool.rulebook.build

coverage: $(READY) ## Run the tests, record which clauses they exercise, and raise the floor
	$(RUN) pytest -n $(WORKERS) -q --record-coverage
	$(BIN)/forcepool rules --coverage --json | $(BIN)/python -m json.tool --no-indent | cut -c1-200

lock: ## Pin every dependency again, with hashes (needs uv)
	@uv="$(UV)"; test -n "$$uv" || uv="$(BIN)/uv"; \
	command -v "$$uv" >/dev/null 2>&1 || { \
	  echo "make lock: uv is not installed; install it with: python3 -m pip install uv" >&2; exit 1; }; \
	UV_CUSTOM_COMPILE_COMMAND="make lock" "$$uv" pip compile --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-annotate --all-extras --quiet \
	  pyproject.toml --output-file requirements.lock

clean: ## Remove caches and built files (the environment in .venv stays)
	rm -rf build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@for p in $(PYTHONS); do \
	  if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found="$$p"; break; fi; \
	done; \
	if test -z "$$found"; then \
	  echo "make: no Python 3.11 or later among: $(PYTHONS)" >&2; \
	  echo "make: install one, or name yours: make PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "making $(VENV) with $$("$$found" --version)"; \
	if test -n "$(UV)"; then "$(UV)" venv --quiet --python "$$found" $(VENV); \
	else "$$found" -m venv $(VENV) || { \
	  rm -rf $(VENV); \
	  echo "make: Python could not make an environment; on Debian and Ubuntu: apt install python3-venv" >&2; \
	  exit 1; }; \
	fi

# The lock pins and hashes everything, the build backend too, so the package itself needs no isolated build.
$(READY): requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing what requirements.lock names into $(VENV)"
ifneq ($(UV),)
	@"$(UV)" pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@"$(UV)" pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	@$(RUN) pip --version >/dev/null 2>&1 || $(RUN) ensurepip
	@$(RUN) pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(RUN) pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@
