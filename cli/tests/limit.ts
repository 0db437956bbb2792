import { argv } from 'node:process'

// None takes a fraction of this, on however slow a machine.
const PROCESS_LIMIT_MS = 600_000

// Read by such a process before its tests. The runner's own limit is for tests: a process that something else keeps alive
// when they are over, as what waits for an answer for ever, would be waited for.
setTimeout(() => {
  console.error(`${argv[1]} was still running after ${PROCESS_LIMIT_MS / 1000} s`)
  process.exit(1)
}, PROCESS_LIMIT_MS).unref()
