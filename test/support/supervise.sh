#!/bin/sh
# Runs its arguments with the socket that is file descriptor 3, as the units of deploy/ do: it holds the socket and starts
# the program again a second after it has ended. SIGUSR1 ends the program, SIGTERM both.
trap 'kill -TERM $child' USR1
trap 'kill -TERM $child; wait $child; exit 0' TERM
while :; do
  LISTEN_FDS=1 sh -c 'export LISTEN_PID=$$; exec "$@"' sh "$@" &
  child=$!
  while kill -0 $child 2>/dev/null; do wait $child; done
  sleep 1
done
