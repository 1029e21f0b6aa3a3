# The few verbs that everybody needs; `make` alone lists them.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3.11
PORT ?= 8000
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)
# the matrices here are small: more threads for one of them only wait for each other
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: help setup serve book zip lighthouse labs instructor-book lab check train test test-all lint browser sandbox bench bench-grading clean

help:  ## list these verbs
	@echo "make VERB, where VERB is one of:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-17s %s\n", $$1, $$2 }'

setup: $(VENV)/.ready  ## make the virtual environment .venv and install everything into it

serve: setup  ## build the book in both languages and serve it on this machine (PORT=8000)
	@python -m coursekit serve --port $(PORT)

book: setup  ## build the book in both languages into site/, warnings as errors
	@python -m coursekit build

zip: book  ## pack the built book into dist/from-logits-to-text.zip: it reads from disk, with no server
	@mkdir -p dist && rm -f dist/from-logits-to-text.zip
	@cd site && python -m zipfile -c ../dist/from-logits-to-text.zip *
	@echo "dist/from-logits-to-text.zip: unpack it and open index.html"

lighthouse: book  ## hold the chapters against Google's Lighthouse, which npx fetches (some minutes)
	@python -m coursekit lighthouse

labs: setup  ## derive the notebooks in labs/ and solutions/ from their sources, solutions/*.md
	@python -m coursekit labs

instructor-book: setup  ## build the solution pages with teaching notes into _build/instructors/, which is never published
	@python -m coursekit instructor-book

lab: setup  ## open your copy of a lab in JupyterLab (NAME=01-temperature-sweep COURSE_LANG=es AGAIN=1)
	@python -m coursekit lab $(NAME) $(if $(AGAIN),--again)

check: setup  ## look over your copy of a lab before you hand it in (NAME=01-temperature-sweep)
	@python -m coursekit check $(NAME) || true  # its report says it all

train: setup  ## train the Mini-GPT of both languages and put the weights into the package
	@python -m minimodel.training

test: lint browser sandbox book  ## run all the tests, those in a browser included
	@pytest -n 2 --dist loadfile

test-all: lint browser sandbox book  ## run all the tests and those that take long: every attack, stock nbgrader beside ours
	@pytest -n 2 --dist loadfile -m ''

lint: setup  ## check types, in Python and JavaScript, style and who imports whom
	@echo "Checking style, types and imports ..."
	@ruff check --quiet && ruff format --check --quiet
	@mypy
	@lint-imports
	@.ci/types

browser:  ## install Debian's Chromium for the browser tests, where that can be done
	@.ci/browser

sandbox:  ## install bubblewrap for grading and its tests, where that can be done
	@.ci/sandbox

bench: setup  ## measure the sampler and the decode loop side by side with what people use
	@PYTHONPATH=tests python -m benchmarks

bench-grading: setup  ## grade classes of 30 side by side with stock nbgrader, then one of a thousand (half an hour)
	@PYTHONPATH=tests python -m benchmarks.grading

clean:  ## remove what was built (never .venv, work/, nor grading/ with its submissions and marks)
	rm -rf _build site

$(VENV)/.ready: requirements.txt pyproject.toml
	@if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then \
	  echo "make: $(PYTHON) is not there or is not Python 3.11." >&2; \
	  echo "      Install Python 3.11 (python.org, or your system's packages), or name one: make PYTHON=/path/to/python3.11 ..." >&2; \
	  exit 1; fi
	@echo "Making the virtual environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "make: $(PYTHON) has no venv module: install it (on Debian: apt-get install python3.11-venv)." >&2; exit 1; }
	@echo "Installing the pinned packages of requirements.txt (the first time this takes some minutes) ..."
	@$(BIN)/python -m pip install --disable-pip-version-check --requirement requirements.txt | sed -u -n 's/^Collecting /  /p'
	@echo "Installing minimodel and coursekit from src/ ..."
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
	@touch $@
