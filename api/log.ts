import { type Logger, pino } from 'pino'

/** Opens the process's log: JSON lines on standard output. Log lines must hold no secret and no personal data. */
export function openLog(name: string): Logger {
  return pino({ name, timestamp: pino.stdTimeFunctions.isoTime })
}
