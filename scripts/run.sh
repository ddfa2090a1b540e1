#!/bin/sh
# Runs a script with the pinned Node, by path: in one shell, `node` may still be remembered as the old one.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
for node in "${FETTLE_NODE:-}" "$root"/node_modules/node-*/bin/node; do
  [ -n "$node" ] && [ -x "$node" ] && exec "$node" "$@"
done
exec node "$@"
