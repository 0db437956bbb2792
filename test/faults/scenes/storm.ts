import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { SERVICES } from '../../../cli/stack/services.ts'
import type { Scene } from '../../e2e/faultStack.ts'
import { finish } from '../../e2e/persistence.ts'
import { expectSettledOnce } from '../../e2e/settlement.ts'
import { MODES, place } from '../../e2e/trading.ts'
import type { Stack, StackProcess } from '../../kit/stack/stack.ts'

const VICTIMS: readonly StackProcess[] = ['postgres', ...SERVICES]
// Each once, and some again.
const KILLS = VICTIMS.length + 3
const LONGEST_PEACE_MS = 1_500
const LONGEST_DEATH_MS = 500

/** Kills processes one after the other while traders trade. */
export function stormOfKills(sceneOf: () => Scene): void {
  test('kill -9 of one process after the other, at any moment: each trade is paid in once and paid out once', async (context) => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
    context.diagnostic(`seed ${seed}: CRASH_SEED=${seed} kills at the same moments again`)
    const storm = rage(stack, seed)
    const traders = Array.from({ length: 2 * MODES.length }, async (_, index) => {
      const mode = MODES[index % MODES.length] ?? 'contract'
      do {
        const trade = await place(parties, { mode })
        scene.paidOut.push(trade)
        await finish(stack, parties, trade)
      } while (!storm.isOver())
    })
    await Promise.all([storm.over, ...traders])
    await expectSettledOnce(scene)
  })
}

/** Kills that follow each other whatever state their victims are in. */
interface Storm {
  /** Also where a victim does not come back. */
  isOver: () => boolean
  /** Resolves when every victim is back. */
  over: Promise<void>
}

/**
 * Kills each process of a stack, and some of them again, in an order and at moments that follow from the
 * seed. A victim is started again while the next one dies.
 */
function rage(stack: Stack, seed: number): Storm {
  const plan = planOf(seed)
  const revivals = new Map<StackProcess, Promise<void>>()
  let isOver = false
  const run = async () => {
    for (const { victim, peaceMs, deathMs } of plan) {
      await delay(peaceMs)
      await revivals.get(victim)
      await stack.kill(victim)
      revivals.set(
        victim,
        delay(deathMs).then(() => stack.restart(victim)),
      )
    }
    await Promise.all(revivals.values())
  }
  const over = run().finally(() => {
    isOver = true
  })
  return { isOver: () => isOver, over }
}

function planOf(seed: number) {
  const everyone = fc.shuffledSubarray([...VICTIMS], { minLength: VICTIMS.length })
  const kill = fc.record({
    victim: fc.constantFrom(...VICTIMS),
    peaceMs: fc.nat(LONGEST_PEACE_MS),
    deathMs: fc.nat(LONGEST_DEATH_MS),
  })
  const plan = fc
    .tuple(everyone, fc.array(kill, { minLength: KILLS, maxLength: KILLS }))
    .map(([first, kills]) => kills.map((kill, place) => ({ ...kill, victim: first[place] ?? kill.victim })))
  return fc.sample(plan, { seed, numRuns: 1 }).flat()
}
