#!/bin/sh
# /usr/local/sbin/consumo: its commands, as its user and with its settings, such as `consumo create-user you@hospital.example`.
if [ -t 0 ]; then attached=--pty; else attached=--pipe; fi
exec systemd-run --quiet --wait --collect "$attached" --uid=consumo --property=UMask=0077 \
    --working-directory=/opt/consumo --property=EnvironmentFile=/etc/consumo/environment \
    /opt/consumo/.venv/bin/consumo "$@"
