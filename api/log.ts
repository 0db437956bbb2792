import { type Logger, pino } from 'pino'

/** The process's log: JSON lines on standard output. What is written to it holds no secret and no personal data. */
export function openLog(name: string): Logger {
  return pino({ name, base: { name, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime })
}
