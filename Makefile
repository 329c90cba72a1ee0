# Short names for the usual commands; everything they do can be done with cmake and ctest by hand (see CONTRIBUTING.md).

PRESET := release
BUILD := build$(addprefix -,$(filter-out release,$(PRESET)))
JOBS ?= $(shell nproc)
# Two tests at a time; each may use its share of the cores and no more. Threads that wait must not spin: tests that ask for
# more of them than there are cores would spend their time slices doing so.
TEST_JOBS ?= 2
TEST_THREADS ?= $(shell echo $$(( $(JOBS) > $(TEST_JOBS) ? $(JOBS) / $(TEST_JOBS) : 1 )))
FUZZ_SECONDS ?= 10
PREFIX ?= /usr/local
VENV := $(BUILD)/python/venv
VERSION = $(shell awk '/^project/ {print $$3}' CMakeLists.txt)
SOURCE_FOLDERS := include src apps tests benchmarks examples python/bindings

build_target = cmake --build --preset $(PRESET) --parallel $(JOBS) --target
run_tests = OMP_NUM_THREADS=$(TEST_THREADS) OMP_WAIT_POLICY=passive \
  ctest --preset $(PRESET) --parallel $(TEST_JOBS) --progress --no-tests=error

.PHONY: all demo test test-python test-all fuzz run-fuzz python experiments experiments-beyond bench bench-evaluation bench-peers bench-kernels install docs docs-python format clean help setup configure
.NOTPARALLEL:
.DEFAULT_GOAL := all

all: configure ## install what is missing and build everything; the tool is then at build/conelu
	@$(build_target) all
	@echo "conelu: the tool is at $(BUILD)/conelu"

demo: configure ## build the tool, train on data made on the spot, and draw the paper's figure of them
	@$(build_target) conelu_tool
	@echo "conelu: running $(BUILD)/conelu demo --seed 3"
	@$(BUILD)/conelu demo --seed 3
	@scripts/python.sh $(BUILD)
	@MPLBACKEND=Agg $(VENV)/bin/python python/examples/plane.py $(BUILD)/demo.png

test: all ## build and run the tests, those of the Python package, too
	@echo "conelu: testing ($(PRESET)), $(TEST_JOBS) at a time with OMP_NUM_THREADS=$(TEST_THREADS)"
	@$(run_tests)
# A Python without sanitizers cannot load a library with them.
ifeq ($(PRESET),release)
	@$(MAKE) --no-print-directory test-python
endif

python: configure ## the Python package, in the virtual environment build/python/venv
	@$(build_target) conelu conelu_tool
	@scripts/python.sh $(BUILD)
	@echo "conelu: $(VENV)/bin/python has the package"

test-python: python ## the tests of the Python package alone
	@echo "conelu: testing the Python package"
	@CONELU_TOOL=$(abspath $(BUILD))/conelu CONELU_DATA=$(abspath ../shared/data) OMP_NUM_THREADS=$(TEST_THREADS) \
	  $(VENV)/bin/python -m pytest --quiet --numprocesses $(TEST_JOBS)

test-all: ## the tests with the slow suites, the quick ones under the sanitizers, libFuzzer, the reference and the kernels
	@CONELU_SLOW_TESTS=1 $(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory docs
	@$(MAKE) --no-print-directory bench-kernels
	@$(MAKE) --no-print-directory test PRESET=sanitize
	@$(MAKE) --no-print-directory test PRESET=sanitize-thread
	@$(MAKE) --no-print-directory fuzz

fuzz: ## readers and the model loader under libFuzzer, FUZZ_SECONDS each (10)
	@scripts/setup.sh fuzz
	@$(MAKE) --no-print-directory run-fuzz PRESET=fuzz

run-fuzz: configure
	@$(build_target) fuzz
	@CONELU_FUZZ_SECONDS=$(FUZZ_SECONDS) $(run_tests)

# QUICK=1 for a few minutes, ONLY=NAME (or its number) for one; records are kept in build/experiments.
run_experiments = CONELU_DATA=$(abspath ../shared/data) $(VENV)/bin/python -m experiments --records $(BUILD)/experiments \
  $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY))

experiments: python ## the paper's tables and figures, in an hour; QUICK=1 in minutes, ONLY=NAME one of them
	@$(run_experiments)

experiments-beyond: python ## what is not in the paper: many data sets, other methods
	@$(run_experiments) --beyond

bench: configure ## build and run the benchmarks
	@$(build_target) bench_cases bench_csv bench_paths
	@$(BUILD)/bench_cases
	@$(BUILD)/bench_csv
	@$(BUILD)/bench_paths

bench-evaluation: configure ## benchmarks of attacks and verification, the last against a mixed-integer solver
	@$(build_target) conelu_tool bench_attacks bench_verify
	@$(BUILD)/bench_attacks
	@$(BUILD)/bench_verify
	@python3 benchmarks/verify/compare_milp.py $(BUILD)/conelu --shared ../shared

# LIMIT=60 for another limit than 600 s a run, QUICK=1 for small problems, ONLY=TASK for some of them; records are kept in
# benchmarks/records, so that an interrupted run goes on where it was; FRESH=1 makes them all anew.
bench-peers: python ## every task against every peer, in hours; writes docs/benchmarks.md. LIMIT=60, QUICK=1, ONLY=TASK
	@$(build_target) bench_judge
	@scripts/benchmarks.sh $(BUILD)
	@CONELU_TOOL=$(abspath $(BUILD))/conelu CONELU_JUDGE=$(abspath $(BUILD))/bench_judge CONELU_SHARED=$(abspath ../shared) \
	  $(VENV)/bin/python -m benchmarks \
	  $(if $(LIMIT),--limit $(LIMIT)) $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(FRESH),--fresh)

bench-kernels: ## micro-benchmarks of the kernels, with Google Benchmark
	@scripts/setup.sh kernels
	@cmake --preset $(PRESET) --log-level=WARNING -DCONELU_BENCH_KERNELS=ON
	@$(build_target) bench_kernels
	@OMP_NUM_THREADS=1 $(BUILD)/bench_kernels

install: configure ## build and install the library and the tool under PREFIX (default /usr/local)
	@$(build_target) conelu conelu_tool
	@cmake --install $(BUILD) --prefix $(PREFIX)

docs: ## the API reference, with Doxygen, in build/docs/html
	@scripts/setup.sh docs
	@mkdir -p build/docs
	@CONELU_VERSION=$(VERSION) doxygen docs/doxygen/Doxyfile
	@echo "conelu: the reference is at build/docs/html/index.html"

docs-python: python ## docs/python: the reference from the docstrings, and the figures by running the examples
	@$(VENV)/bin/python docs/python/make_api.py
	@MPLBACKEND=Agg $(VENV)/bin/python python/examples/plane.py docs/python/plane.png
	@for example in certified_tabular robust_images uncertain_regression every_network; do \
	  MPLBACKEND=Agg $(VENV)/bin/python python/examples/$$example.py docs/python || exit 1; done

format: ## clang-format over our sources
	@scripts/setup.sh format
	@find $(SOURCE_FOLDERS) \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 -r clang-format -i

clean: ## remove everything that was built
	rm -rf build build-*/

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup:
	@scripts/setup.sh
ifeq ($(PRESET),sanitize-thread)
	@scripts/setup.sh $(PRESET)
endif

# Once per build folder: ninja runs cmake again by itself when a CMakeLists.txt changes.
configure: setup $(BUILD)/build.ninja

$(BUILD)/build.ninja: CMakePresets.json
	@echo "conelu: configuring $(BUILD) (preset $(PRESET))"
	@cmake --preset $(PRESET) --log-level=WARNING
	@touch $@
