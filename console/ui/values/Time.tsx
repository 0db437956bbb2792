import { relativeText, timeText } from './format.ts'

/** A time: local, with how far it is from now; UTC in its title. */
export function Time({ at, relative = true }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={new Date(at).toISOString()}>
      {timeText(at)}
      {relative ? <span className="muted"> ({relativeText(at)})</span> : null}
    </time>
  )
}
