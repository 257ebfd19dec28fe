PYTHON ?= python3
# More words for pip, such as --extra-index-url https://download.pytorch.org/whl/cpu for a torch without CUDA.
PIP_FLAGS ?=

BIN := .venv/bin
READY := .venv/.installed
MANAGE := $(BIN)/python manage.py
PRODUCTION := ENVIRONMENT=production DEBUG=false ALLOWED_HOSTS=memory.example.org \
  SECRET_KEY=for-the-deployment-check-only-0123456789-abcdefghijklmnopqrstuvwxyz \
  TOMBSTONE_KEY=for-the-deployment-check-only-0123456789 FACTOR_KEY=for-the-deployment-check-only-9876543210 \
  SIGNING_KEY=for-the-deployment-check-only-5432109876

# Shows what a program says only if it fails.
quietly = said=$$($(1) 2>&1) || { echo "$$said"; exit 1; }

.PHONY: run test test-long check fix bench screenshots stop clean
.SILENT:

run: $(READY)
	exec $(MANAGE) run

test: $(READY)
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

test-long: $(READY)
	$(BIN)/python -m pytest -m long

check: $(READY)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy --no-error-summary
	$(call quietly,$(BIN)/lint-imports --no-logo)
	$(BIN)/djlint --quiet --check --lint templates
	$(BIN)/python -m memory_admin.embedded start
	$(call quietly,$(MANAGE) makemigrations --check --dry-run)
	$(call quietly,$(PRODUCTION) $(MANAGE) check --deploy --fail-level WARNING)

fix: $(READY)
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format --quiet .
	$(BIN)/djlint --quiet --reformat templates || true

bench: $(READY)
	$(BIN)/python -m benchmarks

# The README's pictures, of the demo tenant; Chromium is needed, as for the tests.
screenshots: $(READY)
	$(BIN)/python -m docs.screenshots

# The embedded servers, when tests or commands have left them running.
stop: $(READY)
	$(BIN)/python -m memory_admin.embedded stop

# Everything that can be made again; the data stays.
clean:
	test ! -e $(READY) || $(BIN)/python -m memory_admin.embedded stop
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	echo "Installing the packages into .venv …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt '.[dev]'
	touch $@
