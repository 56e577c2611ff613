#!/bin/sh
# /usr/local/sbin/consumo: its commands, as its user and with its settings, such as `consumo create-user you@hospital.example`.
# With both, a terminal is used only if input, output and errors all go to one: a redirected list contains nothing else.
exec systemd-run --quiet --wait --collect --pty --pipe --uid=consumo --property=UMask=0077 \
    --working-directory=/opt/consumo --property=EnvironmentFile=/etc/consumo/environment \
    /opt/consumo/.venv/bin/consumo "$@"
