import type { OnWait } from '../../sdk/retry.ts'

const QUIET_MS = 60_000

/**
 * Returns what tells the user, once a minute, that a call is sent again because the market does not answer.
 */
export function sayWaits(write: (text: string) => void = (text) => process.stderr.write(text)): OnWait {
  let saidMs = Number.NEGATIVE_INFINITY
  return ({ status }) => {
    if (performance.now() - saidMs < QUIET_MS) return
    saidMs = performance.now()
    const why = status === undefined ? 'does not answer' : `answers ${status}`
    write(`The market ${why}. The call is sent again for a minute.\n`)
  }
}
