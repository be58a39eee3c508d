# Everything a checkout needs is made in .venv from the two lock files. Nothing is installed twice: each stamp is
# younger than what it was made from, so running a target again starts it at once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# From the locks only, each file checked against its hash.
PIP_LOCKED := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r
CHROMIUM ?= chromium
LAYS ?= 10000
# Seconds; both end by themselves.
FUZZ_SECONDS ?= 600
MUTATE_SECONDS ?= 900
CHECKED := dealerless tests spec benchmarks

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test coverage browser fuzz mutate oracle lays lint format types layers check bench vectors lock wheel clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

demo: $(VENV)/run.stamp ## two processes play a short match, a third one audits it
	@$(BIN)/dealerless demo

# One worker more than there are cores: some tests wait for processes and sockets, and no core need wait with them.
WORKERS = $(shell $(BIN)/python -c 'import os; print(len(os.sched_getaffinity(0)) + 1)')
test: $(VENV)/dev.stamp ## all tests, on all cores
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Not with every test run: watching branches takes twice the time of everything else.
coverage: $(VENV)/dev.stamp ## all tests again with branch coverage, whose floor only rises
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report term

browser: $(VENV)/dev.stamp ## the pages of audit --html in a headless Chromium
	@command -v $(CHROMIUM) >/dev/null || { \
		echo "error: no $(CHROMIUM) on PATH"; \
		echo "hint: install it (Debian: apt install chromium), or say make browser CHROMIUM=/path/to/it"; \
		exit 1; } >&2
	CHROMIUM=$(CHROMIUM) $(BIN)/python -m pytest tests/browser

fuzz: $(VENV)/dev.stamp ## the referee against signed nonsense, for FUZZ_SECONDS=600; and every single bit of a match turned
	$(BIN)/python -m pytest -q -s tests/fuzz
	$(BIN)/python -m tests.fuzz.fuzz --seconds $(FUZZ_SECONDS)

mutate: $(VENV)/dev.stamp ## how many small changes of protocol and referee the tests notice, for MUTATE_SECONDS=900
	$(BIN)/python -m tests.mutation.mutate --seconds $(MUTATE_SECONDS)

oracle: $(VENV)/dev.stamp ## 10,000 random hands of Hold'em and 5,000 of draw beside PokerKit
	$(BIN)/python -m tests.oracle.pokerkit_hands --hands 10000
	$(BIN)/python -m tests.oracle.pokerkit_draw --hands 5000

lays: $(VENV)/dev.stamp ## what LAYS=10000 lays of One Poker show of the card that was laid: nothing
	$(BIN)/python -m tests.properties.lay_privacy --lays $(LAYS)

lint: $(VENV)/dev.stamp ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/dev.stamp ## ruff format, and the rules it can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/dev.stamp ## mypy --strict and pyright
	$(BIN)/mypy $(CHECKED)
	$(BIN)/pyright

layers: $(VENV)/dev.stamp ## who may import whom
	$(BIN)/lint-imports

check: test lint types layers ## the four above

bench: $(VENV)/dev.stamp ## measure the speeds that benchmarks/README.md reports
	@set -e; for bench in benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench; done

vectors: $(VENV)/dev.stamp ## make test vectors that are not there yet; version 1 is frozen, and none is changed
	$(BIN)/python -m tests.vectors.generate
	$(BIN)/python -m spec.tables

# Keeps the versions that are in the files as long as pyproject.toml allows them; delete the files first to renew all.
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	--python-version 3.11 pyproject.toml
lock: | $(BIN)/uv ## resolve requirements/*.txt again from pyproject.toml
	$(LOCK) --group build --output-file requirements/run.txt
	$(LOCK) --group dev --constraints requirements/run.txt --output-file requirements/dev.txt

wheel: $(VENV)/dev.stamp ## build dist/*.whl
	$(BIN)/python -m flit_core.wheel

clean: ## remove everything that is made, the environment too
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "error: no $(PYTHON) on PATH"; \
		echo "hint: install Python 3.11 or newer (Debian: apt install python3 python3-venv), or say make PYTHON=/path/to/python3"; \
		exit 1; } >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: $(PYTHON) is $$($(PYTHON) --version 2>&1), and 3.11 is the oldest that works"; \
		echo "hint: say make PYTHON=python3.11 (or newer) if there is one"; \
		exit 1; } >&2
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "error: $(PYTHON) cannot make virtual environments"; \
		echo "hint: Debian and Ubuntu keep that in a package of its own: apt install python3-venv"; \
		exit 1; } >&2
	$(PYTHON) -m venv --clear $(VENV)

# Not the stamps: `make lock` has to work when the locks are gone.
$(BIN)/uv: | $(BIN)/python
	$(PIP_LOCKED) requirements/dev.txt

$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(BIN)/python
	$(PIP_LOCKED) requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	$(PIP_LOCKED) requirements/dev.txt
	@touch $@
