# make demo   try it: own virtual environment, build, the main job on the shipped sample
# make test   lint, types, import contracts, and the tests of less than a fifth of a second each
# make check  all tests: what CI runs
# make lowest tests of modules, promises and commands with the lowest versions of dependencies (constraints/lowest.txt)
# make quick  tests of what differs from the last commit, by the imports; SINCE=main from another one
# make campaign what takes long: whole corpora and pages, each method on Spark, a killed cluster (docs/testing.md)
# make lab    all tests of the papers' experiments (packages/lab); make test runs a few of them
# make faults   stops commands at their file calls: SECONDS=600 SEED=1 CASES=overwrite
# make variants one answer for all orders, files, formats, workers: VARIANTS=200 SEED=1
# make fuzz     damaged inputs for every reader and kernel: SECONDS=600 SEED=1 SHARED=folder of real files
# make site     the documentation as pages in English and Chinese, in build/site; a warning is an error
# make memory   inputs of 32 shapes under budgets of memory: SHAPES=near,one-id BUDGETS=500M QUICK=1
# make wheels   wheels of Linux (glibc 2.17, musl) and macOS into dist/, with one compiler: TARGETS=linux-x86_64 PYTHONS=3.12
# The rest:   sanitize, bench, format, clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LAB := packages/lab
SOURCES := pyproject.toml CMakeLists.txt $(shell find cpp src -type f -not -name '*.pyc' 2>/dev/null)
LAB_SOURCES := $(LAB)/pyproject.toml $(shell find $(LAB)/src -type f -not -name '*.pyc' 2>/dev/null)

SUITE = $(BIN)/python -m pytest -n auto --dist loadscope --no-loadscope-reorder --durations=30 -rfE --tb=short

.PHONY: help demo test lowest quick campaign check lab lint types contracts format sanitize bench faults variants fuzz memory site clean tools-present
help:
	@sed -n 's/^# //p' Makefile

tools-present:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "quchong needs Python 3.11 or later: install it, or name it with make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing: install it (Debian, Ubuntu: apt-get install python3-venv)"; exit 1; }
	@echo 'int main() {}' | $${CXX:-c++} -std=c++20 -x c++ -fsyntax-only - 2>/dev/null || \
	  { echo "no C++20 compiler: install one (Debian, Ubuntu: apt-get install g++; macOS: xcode-select --install)"; exit 1; }

$(VENV)/.made: | tools-present
	@echo "making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.installed: $(VENV)/.made $(SOURCES)
	@echo "building and installing quchong (about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.lab: $(VENV)/.installed $(LAB_SOURCES)
	@echo "installing $(LAB)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check ./$(LAB)
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	@echo "installing what the tests need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test --group lint --group site
	@touch $@

demo: $(VENV)/.installed
	$(BIN)/quchong dedup examples/news.jsonl -o demo-run --overwrite
	@echo
	$(BIN)/quchong explain demo-run n006

test: lint types contracts $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(SUITE) -m 'not campaign and not long'

check: lint types contracts $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(SUITE) --junitxml=build/tests.xml

LOWEST := .venv-lowest
EXTRAS := html,accurate,report,plot,postgres,s3,hf,http,serve,profile,spark
lowest: | tools-present
	@test -d $(LOWEST) || $(PYTHON) -m venv $(LOWEST)
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints/lowest.txt --group test-lowest '.[$(EXTRAS)]' ./$(LAB)
	$(LOWEST)/bin/python -m pytest tests/unit tests/promises tests/properties tests/cli -m 'not campaign and not long' \
	  -n auto --dist loadscope -p no:cacheprovider -rfE --tb=short

quick: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(BIN)/python tools/quick.py --since $(or $(SINCE),HEAD)

campaign: lab
	$(BIN)/python -m pytest -m campaign -n auto --dist loadscope --no-loadscope-reorder --durations=30 -rfEs --tb=short

lab: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(BIN)/python -m pytest $(LAB)/tests -n auto --dist loadscope --durations=10 -rfE --tb=short

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(BIN)/mypy
	$(BIN)/mypy --strict examples/recipes/*.py

contracts: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(BIN)/lint-imports
	$(BIN)/lint-imports --config $(LAB)/.importlinter

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Property tests, promises, fuzzers and the kernels' own tests with AddressSanitizer and UBSan in the native core.
SANITIZE := .venv-sanitize
sanitize: | tools-present
	@test -d $(SANITIZE) || $(PYTHON) -m venv $(SANITIZE)
	@$(SANITIZE)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(SANITIZE)/bin/python -m pip install --quiet --disable-pip-version-check --group test
	@$(SANITIZE)/bin/python -m pip install --quiet --disable-pip-version-check -Ccmake.define.QUCHONG_SANITIZE=ON \
	  -Ccmake.build-type=RelWithDebInfo -Cbuild-dir=build/sanitize .
	@$(SANITIZE)/bin/python -m pip install --quiet --disable-pip-version-check ./$(LAB)
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
	  $(SANITIZE)/bin/python -m pytest tests/properties tests/promises tests/fuzz tests/unit/kernels \
	  tests/unit/sketches/test_minhash.py -p no:cacheprovider

faults: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	$(BIN)/python tools/faults --seconds $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES))
	$(BIN)/python tools/faults/folders --folders $(or $(FOLDERS),500) $(if $(SEED),--seed $(SEED))

variants: $(VENV)/.installed $(VENV)/.test
	$(BIN)/python tools/variants --variants $(or $(VARIANTS),200) $(if $(SEED),--seed $(SEED))

# Half of the seconds for readers, half for kernels.
fuzz: $(VENV)/.installed $(VENV)/.test
	$(BIN)/python tools/fuzz/readers.py --seconds $$(( $(or $(SECONDS),600) / 2 )) $(if $(SEED),--seed $(SEED)) $(if $(SHARED),--shared $(SHARED))
	$(BIN)/python tools/fuzz/kernels.py --seconds $$(( $(or $(SECONDS),600) / 2 )) $(if $(SEED),--seed $(SEED))

memory: $(VENV)/.installed
	$(BIN)/python tools/memory $(if $(SHAPES),--shapes $(SHAPES)) $(if $(BUDGETS),--budgets $(BUDGETS)) $(if $(QUICK),--quick)

site: $(VENV)/.installed $(VENV)/.test
	$(BIN)/python tools/site

# Wheels of all systems into dist/, audited, and run where no compiler is; TARGETS="linux-x86_64 macos-arm64" PYTHONS=3.12
.PHONY: wheels
wheels: $(VENV)/.made
	$(BIN)/python tools/wheels $(if $(TARGETS),--targets $(TARGETS)) $(if $(PYTHONS),--pythons $(PYTHONS))

bench: $(VENV)/.installed
	@sed -n '/^## Run/,/^## /p' benchmarks/README.md

clean:
	rm -rf $(VENV) $(SANITIZE) build demo-run

# make release  checks everything, builds, and collects the files in dist/VERSION: VERSION=x.y.z DRY=1 FROM=wheels (tools/release)
.PHONY: release contract
release: $(VENV)/.installed $(VENV)/.lab $(VENV)/.test
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'build>=1.2,<2'
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python tools/release $(VERSION) $(if $(DRY),--dry-run) $(if $(FROM),--from $(FROM))

contract: $(VENV)/.installed
	$(BIN)/python tools/contract
