import { it } from 'node:test'

/** Waits for the others, and for what then happens to all. */
export type Meet = () => Promise<void>

/**
 * Tests that run at once and meet at what can only happen to all of them: a block, a jump of the clock. Each
 * test of the meeting waits with `meet` until every other one waits too, or has ended; then the next of the
 * acts is done, and all go on. For a suite whose tests run concurrently.
 */
export function meeting(acts: readonly (() => Promise<void>)[]) {
  const ahead = [...acts]
  let present = 0
  let waiting: PromiseWithResolvers<void>[] = []

  function goOn(): void {
    if (waiting.length < present || waiting.length === 0) return
    const met = waiting
    waiting = []
    const acted = act()
    for (const { resolve } of met) resolve(acted)
  }

  async function act(): Promise<void> {
    const next = ahead.shift()
    if (!next) throw new Error('the tests met more often than there are acts')
    await next()
  }

  function meet(): Promise<void> {
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    goOn()
    return turn.promise
  }

  return {
    it(name: string, run: (meet: Meet) => Promise<void>): void {
      present++
      it(name, async () => {
        try {
          await run(meet)
        } finally {
          present--
          goOn()
        }
      })
    },
  }
}
