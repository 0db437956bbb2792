import { openNode } from './chain.ts'
import { type Check, type Fault, inSession } from './check.ts'
import type { Place } from './place.ts'

// A worker whose clock is off by more has its jobs run twice.
const MAX_SKEW_MS = 2_000
// Nodes refuse blocks of a later time than this; no chain that the market is made for rests for longer.
const [MAX_AHEAD_MS, MAX_BEHIND_MS] = [15_000, 300_000]
const SYNCHRONIZE = 'let chrony, ntpd or systemd-timesyncd set the clocks of both machines'

/** Checks this machine's clock against the database's and the chain's. */
export function clockChecks({ database, index, chain }: Place): Check[] {
  const url = database?.url ?? index?.url
  const node = chain?.nodes[0]
  return [
    ...(url === undefined
      ? []
      : [{ name: 'clock of the database', cure: 'see the database', find: () => databaseClockFaults(url) }]),
    // A sandbox has blocks only when somebody sends something, and moves its clock.
    ...(node && !chain.isSandbox
      ? [{ name: 'clock of the chain', cure: 'see RPC_URL', find: () => chainClockFaults(node.url) }]
      : []),
  ]
}

async function databaseClockFaults(url: string): Promise<Fault[]> {
  return inSession(url, async (client) => {
    const before = Date.now()
    const { rows } = await client.query<{ ms: number }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    )
    return skewFaults(rows[0]?.ms ?? Number.NaN, { before, after: Date.now() })
  })
}

/** Returns the fault of a clock that was read between two readings of ours. */
export function skewFaults(theirsMs: number, { before, after }: { before: number; after: number }): Fault[] {
  const skewMs = theirsMs < before ? theirsMs - before : Math.max(0, theirsMs - after)
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return []
  const way = skewMs > 0 ? 'ahead of' : 'behind'
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  return [{ fault: `the clock of the database is ${seconds} seconds ${way} this machine's`, cure: SYNCHRONIZE }]
}

async function chainClockFaults(url: string): Promise<Fault[]> {
  const { number, timestamp } = await openNode(url).getBlock()
  return headFaults({ number, timestamp }, Date.now())
}

/** Returns the fault of the newest block's time. */
export function headFaults({ number, timestamp }: { number: bigint; timestamp: bigint }, nowMs: number): Fault[] {
  const aheadMs = Number(timestamp) * 1_000 - nowMs
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  if (aheadMs > MAX_AHEAD_MS)
    return [{ fault: `block ${number} is ${seconds} seconds in the future by this machine's clock`, cure: SYNCHRONIZE }]
  if (aheadMs >= -MAX_BEHIND_MS) return []
  return [
    {
      fault: `the newest block, ${number}, is ${seconds} seconds old`,
      cure: 'wait until the node of RPC_URL has followed the chain, or use another; if it has, set this machine’s clock',
    },
  ]
}
