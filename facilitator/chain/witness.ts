import type { Logger } from 'pino'
import { BlockNotFoundError, createPublicClient, type PublicClient } from 'viem'
import { nodeTransport } from '../../protocol/rpc/rpc.ts'
import type { Block, Witness } from '../context/chain.ts'
import { createReminder } from '../context/lasting.ts'
import { summary } from '../context/summary.ts'
import { HeadRefused } from './head.ts'

const DEADLINE_MS = 2_000
/** After a failure the node is not queried for this long: it must not slow down the other one. */
const REST_MS = 10_000
const ALARM_AFTER_MS = 30_000

/**
 * Returns the second node at a URL, or undefined without one. A node that does not answer, or that lacks a
 * confirmed block, is reported and left out; it may lack the newest block.
 */
export function openWitness(url: string | undefined, log: Logger): Witness | undefined {
  if (url === undefined) return undefined
  const transport = nodeTransport(url, { retryCount: 0, deadlineMs: DEADLINE_MS, together: true })
  const client = createPublicClient({ transport, cacheTime: 0, ccipRead: false })
  const isToTell = createReminder(ALARM_AFTER_MS)
  let restsUntilMs = Number.NEGATIVE_INFINITY
  const report = (fault: string) => {
    restsUntilMs = performance.now() + REST_MS
    const isAlarm = isToTell('away', true)
    log[isAlarm ? 'error' : 'warn']({ alarm: isAlarm, fault }, 'RPC_VERIFY_URL does not vouch for the times of blocks')
  }
  return {
    async vouch([newest, confirmed]) {
      if (performance.now() < restsUntilMs) return
      const [first, second] = await Promise.allSettled([timeOf(client, newest), timeOf(client, confirmed)])
      for (const [block, seen] of [[newest, first] as const, [confirmed, second] as const]) {
        if (seen.status === 'rejected' || seen.value === undefined || seen.value === block.timestamp) continue
        throw new HeadRefused(`the two nodes disagree on the time of block ${block.number}`)
      }
      const failed = [first, second].find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') return report(summary(failed.reason))
      if (second.status === 'fulfilled' && second.value === undefined) return report(`it lacks block ${confirmed.hash}`)
      isToTell('away', false)
    },
  }
}

/** Returns the time of a block. Undefined if the node does not have it. */
async function timeOf(client: PublicClient, { hash: blockHash }: Block): Promise<bigint | undefined> {
  try {
    return (await client.getBlock({ blockHash })).timestamp
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
