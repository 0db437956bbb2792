import { starve } from '../../kit/stack/hang.ts'
import type { Fault } from '../fault.ts'
import type { FaultMarket, Process } from '../market.ts'

const HOUR_SECONDS = 3_600
const STARVED_SECONDS = 20
const SERVICES = ['api', 'worker', 'facilitator', 'indexer'] as const

/** What happens to one process of a kind, whichever of them it is. */
function ofEach(name: string, lastsMs: number, harm: (victim: Process) => Promise<() => Promise<void>>): Fault[] {
  return SERVICES.map((service) => ({
    name: `${name}: ${service}`,
    lastsMs,
    inject: async ({ processes }: FaultMarket, random) => {
      const victim = random.pick(processes.filter((process) => process.service === service))
      return { victim: victim.name, heal: await harm(victim) }
    },
  }))
}

/** kill -9, and a start some time later. */
const kills = ofEach('kill -9', 2_000, async (victim) => {
  await victim.kill()
  return () => victim.start()
})

/** A process that hangs, and wakes up with what it held. */
const stops = ofEach('SIGSTOP', 8_000, async (victim) => {
  victim.signal('SIGSTOP')
  return async () => victim.signal('SIGCONT')
})

/** A machine that has little CPU for a process: its timers are late, and its leases may run out. */
const starvations = ofEach('a twentieth of the CPU', 0, async (victim) => {
  await starve((name) => victim.signal(name), { share: 0.05, seconds: STARVED_SECONDS })
  return async () => {}
})

/** What an operator does at each update. */
const ends = ofEach('SIGTERM', 1_000, async (victim) => {
  await victim.end()
  return () => victim.start()
})

/**
 * Connections to Postgres over which nothing comes any more, and which nobody ends. New ones are served when
 * it is healed.
 */
const silences = ofEach('half-open sockets to Postgres', 12_000, async (victim) => {
  const forward = victim.way.stall()
  return async () => forward()
})

/** A machine whose clock is wrong by an hour, either way. */
const clocks: Fault[] = [HOUR_SECONDS, -HOUR_SECONDS].map((seconds) => ({
  name: `clock ${seconds > 0 ? '+' : '-'}1 h: processes`,
  lastsMs: 6_000,
  inject: async ({ processes }, random) => {
    const victim = random.pick(processes.filter(({ service }) => service !== 'indexer'))
    await victim.end()
    await victim.start(seconds)
    const heal = async () => {
      await victim.end()
      await victim.start()
    }
    return { victim: victim.name, heal }
  },
}))

export const processFaults: readonly Fault[] = [...kills, ...stops, ...starvations, ...ends, ...silences, ...clocks]
