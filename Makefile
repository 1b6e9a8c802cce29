# Needs Python 3.11 or newer (with venv and pip) and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
PYTEST_ARGS ?=

# Says "venv" when there is no environment, or one that is broken, too old or was moved here from elsewhere.
STALE := $(shell test "$$(cat $(VENV)/.where 2>/dev/null)" = "$(CURDIR)" && \
	$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || echo venv)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test slow check bench dist clean venv

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile

demo: $(VENV)/.core ## run the ten-document example
	@$(BIN)/treconcile demo

test: $(VENV)/.test ## run the tests, then the examples in the docstrings
	$(BIN)/python -m pytest -q -n auto -m "not slow" $(PYTEST_ARGS)
	$(BIN)/python -m pytest -q --doctest-modules src/treconcile

slow: $(VENV)/.test ## run the tests that take long, and those that draw their inputs thoroughly
	$(BIN)/python -m pytest -q -n auto -m "slow or hypothesis" --hypothesis-profile thorough $(PYTEST_ARGS)

check: $(VENV)/.dev ## check style, types, import layers and documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src
	$(BIN)/lint-imports
	$(if $(wildcard docs/check.py),$(BIN)/python docs/check.py)

bench: $(VENV)/.test ## measure time and memory beside other tools
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/convert.py

dist: $(VENV)/.dev ## build the wheel and the sdist into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

clean: ## remove the environment, builds and caches
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests docs benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "treconcile needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@echo "$(CURDIR)" > $(VENV)/.where

$(VENV)/.core: pyproject.toml $(STALE)
	@echo "installing treconcile into $(VENV)" >&2
	@$(PIP) -e .
	@touch $@

$(VENV)/.test: pyproject.toml $(STALE)
	@echo "installing treconcile, the reference tools and the test tools into $(VENV)" >&2
	@$(PIP) -e '.[tools,test]'
	@touch $@ $(VENV)/.core

$(VENV)/.dev: pyproject.toml $(STALE)
	@echo "installing treconcile, the reference tools and the development tools into $(VENV)" >&2
	@$(PIP) -e '.[tools,dev]'
	@touch $@ $(VENV)/.test $(VENV)/.core
