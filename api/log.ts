import { type DestinationStream, destination, type Logger, pino } from 'pino'

const STDOUT = 1
// A reader of the log waits for a line no longer than it takes to read one, and a busy process writes a hundred times less.
const WRITE_AFTER_MS = 10
const BUFFER_CHARACTERS = 8_192

/** The process's log: JSON lines on standard output. What is written to it holds no secret and no personal data. */
export function openLog(name: string): Logger {
  return pino({ name, base: { name, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, gathered())
}

/**
 * Lines that come within a few milliseconds are written together, for each write costs about as much as a small request.
 * Whatever the process ends by that lets it run to its end, the last lines are written first.
 */
function gathered(): DestinationStream & { flushSync: () => void } {
  const stdout = destination({ dest: STDOUT, sync: true, minLength: BUFFER_CHARACTERS })
  let timer: NodeJS.Timeout | undefined
  const flushSync = () => {
    clearTimeout(timer)
    timer = undefined
    stdout.flushSync()
  }
  // Without the fsync of a flush that is the last: who reads the log reads it from the kernel.
  const flush = () => {
    timer = undefined
    stdout.flush()
  }
  process.once('exit', flushSync)
  return {
    write: (line) => {
      stdout.write(line)
      timer ??= setTimeout(flush, WRITE_AFTER_MS).unref()
    },
    flushSync,
  }
}
