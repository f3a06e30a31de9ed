PYTHON ?= python3.12
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Much of the time a test waits for its host. Tests that share a host stay together (`tests/conftest.py`), and the
# longest groups go first.
SPREAD := -n 3 --dist loadscope --no-loadscope-reorder
# A test that hangs ends the run after twenty minutes, which tells where it hung.
BOUNDED := --max-worker-restart 0 -o faulthandler_timeout=1200 -o faulthandler_exit_on_timeout=true
# Whatever the environment says: without compiled files each worker rewrites, and each host compiles, all of it again.
export PYTHONDONTWRITEBYTECODE :=
# The longest of the long forms, the soak, takes two hours and some minutes.
BOUNDED_LONG := -o faulthandler_timeout=14400 -o faulthandler_exit_on_timeout=true

.PHONY: help test check lint unit host coverage torture torture-short demo demo-check zip openapi settings screenshots lock clean

help: ## what each target does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(READY): requirements-dev.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@# The tests import the plugin by its folder's name, as the host does, whatever this checkout is called.
	ln -sfn "$(CURDIR)" "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/astrbot_plugin_ltm"
	touch $@

check: lint ## formatter, linter, import contract, strict types
	$(BIN)/pyright

lint: $(READY) ## what of `make check` takes a moment: all but the types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

unit: $(READY) ## unit and property tests only
	$(BIN)/pytest -q -m "not host and not torture"

host: $(READY) ## tests on the real host only
	$(BIN)/pytest -q -m "host and not torture"

# The types are checked beside the tests, which leave a processor free at times, and told of after them.
test: lint ## `make check`, and everything but the trials of `make torture`
	@mkdir -p build
	$(BIN)/pyright >build/types.txt 2>&1 & types=$$!; \
	$(BIN)/pytest -q -m "not torture" $(SPREAD) $(BOUNDED); tests=$$?; \
	wait $$types; types=$$?; cat build/types.txt; exit $$((tests | types))

torture-short: $(READY) ## one kill, one leak variant, one migration, one fault of each kind
	$(BIN)/pytest -q -m torture_short $(SPREAD) $(BOUNDED)

coverage: check ## everything, trials in their short form, with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q $(SPREAD) $(BOUNDED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

torture: coverage ## hours of crashes, faults, floods, leaks and hostile text; LTM_SEED=n picks other chances
	rm -f build/torture.txt
	LTM_TORTURE=1 $(BIN)/pytest -v -s -m "torture or not host" $(BOUNDED_LONG)

zip: ## dist/astrbot_plugin_ltm.zip, for the upload in the dashboard
	$(PYTHON) packaging/build_zip.py

demo: $(READY) ## the real host with the plugin on, ready to chat
	$(BIN)/python -m demo

demo-check: $(READY) ## the demo's conversation, held by itself
	$(BIN)/python -m demo --check

openapi: $(READY) ## write dashboard_routes/openapi.json anew from the routes
	$(BIN)/python -m astrbot_plugin_ltm.packaging.openapi

settings: $(READY) ## write docs/settings.md and the English of the settings anew from _conf_schema.json
	$(BIN)/python -m astrbot_plugin_ltm.packaging.settings

screenshots: $(READY) ## take the pictures of the page in docs/ anew, on the real host
	$(BIN)/python -m astrbot_plugin_ltm.packaging.screenshots

lock: $(READY) ## write requirements-dev.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.12 --no-header --no-annotate --no-emit-index-url --no-emit-find-links --group dev -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist .demo
