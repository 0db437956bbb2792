/** How often a session is asked for an answer, and how long that may take. */
export interface SilenceTiming {
  lookMs: number
  /** Longer than a server that is at work lets a look wait. */
  silenceMs: number
}

const TIMING: SilenceTiming = { lookMs: 5_000, silenceMs: 20_000 }

/** A watch over a session in the database. */
export interface SilenceWatch {
  /** Resolves when the session is asked and does not answer. */
  fallen: Promise<void>
  stop: () => void
}

/**
 * Asks a session in the database again and again. A connection can fall silent without an end, as when a
 * firewall forgets it: who waits for an answer then waits for ever. A session that fails its query has ended,
 * which is noticed by itself.
 */
export function watchForSilence(
  session: { query: (text: string) => Promise<unknown> },
  { lookMs, silenceMs }: SilenceTiming = TIMING,
): SilenceWatch {
  const { promise: fallen, resolve } = Promise.withResolvers<void>()
  let silence: NodeJS.Timeout | undefined
  const looks = setInterval(() => {
    silence ??= setTimeout(resolve, silenceMs)
    const onAnswer = () => {
      clearTimeout(silence)
      silence = undefined
    }
    session.query('select 1').then(onAnswer, onAnswer)
  }, lookMs)
  const stop = () => {
    clearInterval(looks)
    clearTimeout(silence)
  }
  return { fallen, stop }
}
