import { argv } from 'node:process'

// The longest file takes a fraction of this on an idle machine.
const PROCESS_LIMIT_MS = 900_000

// A test process imports this before its tests. The runner's own limit applies to tests only: it waits for a
// process that something keeps alive after its tests.
setTimeout(() => {
  console.error(`${argv[1]} was still running after ${PROCESS_LIMIT_MS / 1000} s`)
  process.exit(1)
}, PROCESS_LIMIT_MS).unref()
