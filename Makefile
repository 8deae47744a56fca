# make run    sets everything up and serves at http://127.0.0.1:8000, and to the phones in the Wi-Fi; HOST=127.0.0.1 make run: here only
#             (also PORT, DATA_DIR, DATABASE_URL, PUBLIC_URL)
# make demo   the same with sample data: a tournament in play, three that are over, one to come
# make test   sets everything up and runs every check and test
# make restore FROM=/media/stick   sets everything up and fills it from the latest backup in a folder, on a new laptop
# make engines  plays the journeys of phones and wall in browsers of 2018 to today, Firefox and WebKitGTK, for the table of docs/browsers.md
# make bench  measures what the documentation states
# make compose   as root: runs the compose files with podman-compose, and stand-ins for their images
# make wheel  builds dist/schnauz_turnier-VERSION-py3-none-any.whl, for pipx, uv and pip
# make kit    writes dist/kit (or KIT=...) for a stick: packages for all kinds of computers, start files, handbook; installs offline
#             KIT_FOR=this: for this kind of computer and this Python only
# make messages   brings the catalogues of translations in line with the texts, and says what is left to translate
# make lock   brings the pinned dependencies up to date
# make screenshots   takes the pictures of the README anew

VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
COMPILE := env -u PIP_FIND_LINKS -u UV_FIND_LINKS $(UV) pip compile --quiet --no-config --universal \
	--python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock'

.PHONY: run demo restore test check check-types check-the-rest engines bench compose wheel kit messages lock screenshots setup setup-dev browser other-browsers pooler proxy

run: setup
	@exec $(BIN)/python -m schnauz_turnier

demo: setup
	@DATA_DIR="$${DATA_DIR:-data-demo}" exec $(BIN)/python -m schnauz_turnier --practice

restore: setup
	@$(BIN)/python manage.py restore "$(or $(FROM),$(error Say where the backup is: make restore FROM=/media/stick))"

# The tests start hundreds of processes. Each would compile the program and its packages anew where the environment
# says not to write bytecode, so it is kept below .venv, whatever is said.
test check: export PYTHONDONTWRITEBYTECODE :=
test check: export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode

test: check browser pooler proxy
	$(BIN)/pytest --numprocesses=auto --maxprocesses=4 --dist=load --ignore=tests/architecture

# Two at a time: mypy alone takes as long as all the others.
check: setup-dev
	@$(MAKE) --no-print-directory --jobs=2 check-types check-the-rest

check-types:
	$(BIN)/mypy

check-the-rest:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/python -m tests.architecture.dead_code
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/oxlint --quiet static/js
	$(BIN)/pytest --quiet tests/architecture
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run
	PUBLIC_URL=https://turnier.example.org SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_hex(32))')" \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

engines: setup-dev browser other-browsers
	ENGINES=all $(BIN)/pytest --numprocesses=2 --dist=load tests/engines

bench: setup-dev
	@for program in bench/[a-z]*.py; do echo "== $$program"; $(BIN)/python $$program || exit 1; done

compose: setup-dev
	$(BIN)/python bench/compose/check.py

wheel: setup-dev
	@$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist

kit: wheel
	$(BIN)/python -m schnauz_turnier.packaging.kit "$(or $(KIT),dist/kit)" $(if $(KIT_FOR),--only "$(KIT_FOR)")

messages: setup-dev
	@DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m tests.messages

lock: $(UV)
	$(COMPILE) --upgrade pyproject.toml --output-file requirements.lock
	$(COMPILE) --upgrade pyproject.toml --group dev --constraint requirements.lock --output-file requirements-dev.lock

screenshots: setup-dev browser
	$(BIN)/python docs/screenshots.py

setup: $(VENV)/installed
setup-dev: $(VENV)/installed-dev

$(VENV)/installed: requirements.lock | $(UV)
	@echo "Installing what the program needs ..."
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/installed-dev: requirements-dev.lock | $(UV)
	@echo "Installing what the tests need ..."
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements-dev.lock
	@touch $@ $(VENV)/installed

# uv comes by pip, into the environment: it is many times quicker than pip and reads the same package index.
$(UV):
	@for python in $$PYTHON python3 python3.14 python3.13 python3.12 python3.11 none; do \
		$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; \
	if [ $$python = none ]; then \
		echo "Python 3.11 or newer is needed; python3 is: $$(python3 --version 2>&1). Install it, or name it: PYTHON=/path/to/python3 make"; \
		exit 1; fi; \
	echo "Making $(VENV) with $$($$python --version) ..."; \
	$$python -m venv $(VENV) >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -qq -y python3-venv >/dev/null \
		&& $$python -m venv --clear $(VENV); } || { \
		rm -rf $(VENV); echo "Python's venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1' 2>/dev/null \
		|| $(BIN)/python -m pip install --disable-pip-version-check 'uv>=0.8,<1'

# Chromium without a user interface takes 40 % less of the processor than the whole one, which does as well.
# Where there is no browser and none can be had, the tests say so: skipped, and in CI failed.
browser:
	@[ -n "$$CHROMIUM" ] || command -v chromium-headless-shell >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || { \
		echo "Installing Chromium for the browser tests ..."; export DEBIAN_FRONTEND=noninteractive; apt-get update -qq; \
		{ apt-get install -qq -y --no-install-recommends chromium-headless-shell \
		|| command -v chromium || command -v chromium-browser || command -v google-chrome \
		|| apt-get install -qq -y --no-install-recommends chromium; } >/dev/null; } || true

# Firefox, and the engine of Safari with a screen that nobody sees. Where they cannot be had, the tests say so in the same way.
other-browsers:
	@{ command -v firefox-esr && command -v WebKitWebDriver && command -v Xvfb; } >/dev/null || [ "$$(id -u)" != 0 ] \
		|| ! command -v apt-get >/dev/null || { \
		echo "Installing Firefox and WebKitGTK for the browser tests ..."; export DEBIAN_FRONTEND=noninteractive; apt-get update -qq; \
		for package in firefox-esr webkit2gtk-driver xvfb; do \
		apt-get install -qq -y --no-install-recommends $$package >/dev/null || true; done; } || true

# A transaction pooler, for the tests of processes behind one. Where there is none, they say so in the same way.
pooler:
	@[ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || { \
		echo "Installing PgBouncer for the tests ..."; export DEBIAN_FRONTEND=noninteractive; apt-get update -qq; \
		apt-get install -qq -y --no-install-recommends pgbouncer >/dev/null; } || true

# The proxy of docker-compose.yml, for the tests of its settings; unpacked, as a package that is installed would serve at once.
proxy: setup-dev
	@[ -x $(VENV)/caddy/usr/bin/caddy ] || command -v caddy >/dev/null || ! command -v apt-get >/dev/null || { \
		echo "Fetching Caddy for the tests ..."; [ "$$(id -u)" != 0 ] || apt-get update -qq; \
		{ cd $(VENV) && apt-get download -qq caddy && dpkg -x caddy_*.deb caddy && rm caddy_*.deb; } >/dev/null 2>&1; } || true
