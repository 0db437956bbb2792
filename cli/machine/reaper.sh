#!/usr/bin/env bash
# Outlives the process that starts it and ends what that one left behind, however it died.
# Reads lines: "watch PID" (the leader of a process group), "forget PID", "remove DIRECTORY".
# The end of the input is the death of the parent.
set -u
pids=()
directories=()

while read -r verb subject; do
  case $verb in
    watch) pids[subject]=1 ;;
    forget) unset "pids[$subject]" ;;
    remove) directories+=("$subject") ;;
  esac
done

alive() {
  for pid in "${!pids[@]}"; do kill -0 -- "-$pid" 2>/dev/null && return 0; done
  return 1
}

for pid in "${!pids[@]}"; do kill -INT -- "-$pid" 2>/dev/null; done
for _ in $(seq 50); do
  alive || break
  sleep 0.1
done
for pid in "${!pids[@]}"; do kill -KILL -- "-$pid" 2>/dev/null; done
for directory in "${directories[@]-}"; do
  if [ -n "$directory" ]; then rm -rf -- "$directory"; fi
done
