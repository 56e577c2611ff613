#!/bin/sh
# Install Consumo from this archive, or upgrade it. It needs no network.
#
#   ./install.sh         as root: install this version into /opt/consumo/versions and switch to it
#   ./install.sh --back  as root: switch back to the previous version
#
# Settings (/etc/consumo) and data (/var/lib/consumo) are never changed. Installing the same version again changes
# nothing if it runs, and repairs it if it does not. If it fails, the running version stays. --root=FOLDER installs below a folder, without user and services.
set -eu
umask 022

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

back=no root=
for argument in "$@"; do
    case $argument in
    --back) back=yes ;;
    --root=*) root=${argument#--root=} ;;
    *) fail "unknown argument $argument; see the head of this file" ;;
    esac
done
here=$(cd "$(dirname "$0")" && pwd)
opt=$root/opt/consumo
current=$opt/current
previous=$opt/previous
[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "run it as root"

# Replace a link at once: there is no moment without it.
link() {
    ln -sfn "$1" "$2.new"
    mv -T "$2.new" "$2"
}

# A distribution's upgrade takes the Python away with which a version was installed. The help of the server imports all
# that the server imports.
runs() {
    "$1/bin/consumo" serve --help >/dev/null 2>&1
}

# Units that run keep running with the version that is current now.
restart() {
    [ -z "$root" ] && [ -d /run/systemd/system ] || return 0
    systemctl daemon-reload
    systemctl try-restart consumo.service consumo-receive.service consumo-send.service consumo-send-audit.service
}

if [ "$back" = yes ]; then
    [ -e "$previous" ] || fail "there is no previous version to go back to"
    runs "$previous" || fail "the previous version does not run on this system: run install.sh of its archive"
    now=$(readlink "$current")
    link "$(readlink "$previous")" "$current"
    link "$now" "$previous"
    restart
    echo "Consumo $(basename "$(readlink "$current")") is the current version again."
    exit
fi

version=$(cat "$here/VERSION")
machine=$(cat "$here/MACHINE")
(cd "$here" && sha256sum --check --quiet --strict SHA256SUMS) ||
    fail "this archive is damaged: copy it again and compare its checksum"
[ "$(uname -sm)" = "Linux $machine" ] || fail "this archive is for Linux on $machine, not for $(uname -sm)"

# The service's user must be able to read the Python, so one in a home folder is not used.
find_python() {
    for name in "${CONSUMO_PYTHON:-}" python3.14 python3.13 python3.12 python3.11 python3; do
        for file in "$name" "/usr/bin/$name" "/usr/local/bin/$name"; do
            case $file in /*) ;; *) continue ;; esac
            [ -x "$file" ] || continue
            "$file" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null || continue
            home=$("$file" -c 'import os, sys; print(os.path.realpath(sys.executable))')
            case $home in /home/* | /root/*) continue ;; esac
            echo "$file"
            return
        done
    done
    return 1
}

target=$opt/versions/$version
repaired=no
if [ ! -e "$target/complete" ] || ! runs "$target"; then
    [ ! -e "$target/complete" ] || repaired=yes
    python=$(find_python) || fail "there is no Python 3.11 to 3.14 in /usr/bin or /usr/local/bin: install python3"
    mkdir -p "$opt/versions"
    rm -rf "$target"
    # A failed installation leaves nothing behind.
    trap 'rm -rf "$target"' EXIT
    trap 'exit 1' HUP INT TERM
    "$python" -m venv --without-pip "$target" || fail "$python cannot make an environment: install python3-venv"
    pip() {
        PYTHONPATH=$(echo "$here"/wheels/pip-*.whl) "$target/bin/python" -P -m pip --disable-pip-version-check --quiet \
            --no-cache-dir --isolated install --no-index "$@"
    }
    # The list is complete: it leaves out what packages name as their requirement, but import only in tests.
    pip --find-links "$here/wheels" --no-deps --require-hashes --requirement "$here/requirements.txt"
    pip --no-deps "$here"/consumo-"$version"-*.whl
    runs "$target" || fail "$target does not run: $("$target/bin/consumo" serve --help 2>&1 | tail -n 1)"
    "$target/bin/python" -I -c '
from adapters.http.app import CLIENT_FOLDER
raise SystemExit(not (CLIENT_FOLDER / "index.html").is_file())' || fail "the wheel has no client"
    cp -r "$here/docs" "$here/sbom.cdx.json" "$target"
    if [ -f "$here/tests.json" ]; then cp "$here/tests.json" "$target"; fi
    touch "$target/complete"
    trap - EXIT HUP INT TERM
fi

if [ -z "$root" ] && ! id consumo >/dev/null 2>&1; then
    useradd --system --user-group --home-dir /var/lib/consumo --shell /usr/sbin/nologin consumo
fi
own() {
    if [ -z "$root" ]; then chown "$1" "$2"; fi
}
mkdir -p "$root/etc/consumo" "$root/var/lib/consumo"
own root:consumo "$root/etc/consumo"
own consumo:consumo "$root/var/lib/consumo"
chmod 0750 "$root/etc/consumo"
chmod 0700 "$root/var/lib/consumo"
settings=$root/etc/consumo/environment
if [ ! -e "$settings" ]; then
    secret() { "$target/bin/python" -I -c 'import secrets; print(secrets.token_urlsafe(48))'; }
    (
        umask 077
        cat >"$settings.new" <<SETTINGS
# The settings of Consumo. /opt/consumo/current/docs/configuration.md describes each; restart the service after a change.
# Time zone and currency are chosen on the page Hospital.
CONSUMO_DATABASE_URL=sqlite:////var/lib/consumo/consumo.db
CONSUMO_SECRET_KEY=$(secret)
CONSUMO_METRICS_TOKEN=$(secret)
CONSUMO_HOST=127.0.0.1
CONSUMO_PORT=8000
SETTINGS
    )
    own root:consumo "$settings.new"
    chmod 0640 "$settings.new"
    mv "$settings.new" "$settings"
fi
mkdir -p "$root/etc/systemd/system" "$root/usr/local/sbin"
for unit in "$here"/units/*; do
    install -m 0644 "$unit" "$root/etc/systemd/system/"
done
install -m 0755 "$here/consumo.sh" "$root/usr/local/sbin/consumo"

if [ "$(readlink "$current" 2>/dev/null)" != "versions/$version" ]; then
    [ ! -e "$current" ] || link "$(readlink "$current")" "$previous"
    link "versions/$version" "$current"
    restart
elif [ "$repaired" = yes ]; then
    restart
fi
# Keep the current and the previous version.
for one in "$opt"/versions/*; do
    case versions/$(basename "$one") in
    "$(readlink "$current")" | "$(readlink "$previous" 2>/dev/null)") ;;
    *) rm -rf "$one" ;;
    esac
done
echo "Consumo $version is installed in $target."
echo "Check the settings in $settings, then start it: systemctl enable --now consumo"
