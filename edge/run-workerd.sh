#!/bin/sh
# Starts workerd so that the kernel ends it together with the program that has started it, even when that was killed.
# Without setpriv (outside Linux), only an orderly end ends it.
if command -v setpriv >/dev/null; then exec setpriv --pdeathsig KILL "$WORKERD" "$@"; fi
exec "$WORKERD" "$@"
