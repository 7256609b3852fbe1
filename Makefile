# make demo   translate the example film scene; sets up everything it needs
# make test   everything a contributor must pass
# make help   the other commands

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

TO := de
SCENE := examples/lighthouse.en.srt
RESULT := build/lighthouse.$(TO).srt
REPORT := build/lighthouse.$(TO).report.json

.DEFAULT_GOAL := help
.PHONY: quality help demo test test-all test-bare lint fuzz slow golden clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## */|/' | awk -F'|' '{ printf "make %-8s %s\n", $$1, $$2 }'

demo: $(VENV)/.installed  ## translate examples/lighthouse.en.srt and show the report; TO=de is the language
	@mkdir -p build
	@status=0; \
	$(BIN)/subfit translate $(SCENE) -t $(TO) --guideline netflix \
		-o $(RESULT) --overwrite --report $(REPORT) || status=$$?; \
	case $$status in \
		0) ;; \
		3) echo "Done, but some cues are over their budget (exit code 3): $(REPORT) names them." ;; \
		*) exit $$status ;; \
	esac; \
	echo; echo "$(RESULT) begins:"; echo; head -n 40 $(RESULT)

# A process for each core, but no more than four: each needs 1 GB of memory. With PROCESSES=0 the
# tests run in one.
PROCESSES := auto
PYTEST = $(BIN)/python -m pytest -n $(PROCESSES) --maxprocesses 4 --dist worksteal

test: $(VENV)/.installed-dev  ## run the tests, ruff, mypy and import-linter
	$(PYTEST)
	@$(MAKE) --no-print-directory lint

# What the tests may use beside Python: no compiler, no browser, no speech synthesizer.
BARE := build/bare
TOOLS := sh bash env git make awk basename cat chmod cp cut date dirname echo false find grep \
	head ln ls mkdir mktemp mv pwd rm rmdir sed sleep sort tail tee touch tr true uname wc xargs
LINK := import os, shutil, sys; folder, *tools = sys.argv[1:]; \
	places = {"python3": sys.executable} | {tool: shutil.which(tool) for tool in tools}; \
	[os.symlink(place, os.path.join(folder, tool)) for tool, place in places.items() if place]
test-bare: $(VENV)/.installed-dev  ## run test with nothing but Python, git, make and a shell
	@rm -rf $(BARE) && mkdir -p $(BARE)
	@$(BIN)/python -c '$(LINK)' $(BARE) $(TOOLS)
	@make=$$(command -v $(MAKE)) && PATH="$(CURDIR)/$(BARE)" "$$make" --no-print-directory test

lint: $(VENV)/.installed-dev  ## run ruff, mypy and import-linter only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

SECONDS := 300
fuzz: $(VENV)/.installed-dev  ## damage files and models, and read, translate, open such; SECONDS=300 each
	$(BIN)/python -m tests.fuzz_formats --seconds $(SECONDS)
	$(BIN)/python -m tests.fuzz_translate --seconds $(SECONDS)
	$(BIN)/python -m tests.fuzz_models --seconds $(SECONDS)

test-all: $(VENV)/.installed-dev  ## run all tests: those of test, and the slow ones
	@$(MAKE) --no-print-directory test slow

slow: $(VENV)/.installed-dev  ## run the tests that take more than a few seconds, and more examples
	HYPOTHESIS_PROFILE=thorough $(PYTEST) -m 'slow or hypothesis'

golden: $(VENV)/.installed-dev  ## write the golden files again; read the diff before committing
	$(BIN)/python -m tests.regenerate

DATA := data
TIMED := data/subtitles
quality: $(VENV)/.installed-dev  ## translate test text and films, beside frozen figures; DATA=FOLDER TIMED=FOLDER
	$(BIN)/python -m benchmarks.quality $(DATA) $(TIMED)

clean:  ## delete what was built; keeps .venv, data and training runs
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find subfit tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# pip is the last thing that venv makes, so a half-made environment is made again.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "subfit needs Python 3.11 or newer and '$(PYTHON)' is not;" \
			"name another one, for example: make demo PYTHON=python3.12" >&2; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing subfit into $(VENV) (the first time, this takes a few minutes)"
	@$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing subfit and its development tools into $(VENV)"
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.installed
