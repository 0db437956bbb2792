import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { alarms } from './metrics.ts'
import { currentTraceId } from './trace.ts'

/**
 * Opens the log of a process: JSON lines on standard output, in one shape for all processes: `level`, `time`
 * (ISO 8601), `name`, `msg`, and `traceId` in the trace of a request. `alarm: true` marks a line that needs a
 * person. Log lines must hold no secret and no personal data. LOG_LEVEL sets the least level; by default
 * info.
 */
export function openLog(
  name: string,
  { LOG_LEVEL: level }: NodeJS.ProcessEnv,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options: LoggerOptions = {
    name,
    level: level || 'info',
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const traceId = currentTraceId()
      return traceId === undefined ? {} : { traceId }
    },
    hooks: {
      logMethod(given, write) {
        const about: unknown = given[0]
        if (typeof about === 'object' && about !== null && 'alarm' in about && about.alarm === true) alarms.inc()
        write.apply(this, given)
      },
    },
  }
  return pino(options, destination)
}
