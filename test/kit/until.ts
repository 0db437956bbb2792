import { setTimeout as delay } from 'node:timers/promises'

const OVER = Symbol('the limit has passed')

/**
 * Asks again and again until the answer is as awaited, by default until it is true, and returns it. Throws
 * after a while, with what was awaited and the last answer: what is broken shows in seconds.
 */
export async function until<Answer>(
  awaited: string,
  ask: () => Answer | Promise<Answer>,
  isThere: (answer: Answer) => boolean = Boolean,
  { limitMs = 30_000, pollMs = 20 }: { limitMs?: number; pollMs?: number } = {},
): Promise<Answer> {
  const ended = new AbortController()
  // An answer that never comes is one in vain, too.
  const over = delay(limitMs, OVER, { signal: ended.signal }).catch((): typeof OVER => OVER)
  let last: Answer | undefined
  try {
    for (;;) {
      const answer = await Promise.race([over, ask()])
      if (answer === OVER) break
      if (isThere(answer)) return answer
      last = answer
      if (pollMs > 0) await delay(pollMs)
    }
  } finally {
    ended.abort()
  }
  throw new Error(`waited ${limitMs / 1_000} s in vain until ${awaited}: ${asText(last)}`)
}

function asText(answer: unknown): string {
  return JSON.stringify(answer, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
