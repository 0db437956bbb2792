import { setTimeout as delay } from 'node:timers/promises'
import type { Facilitator } from './context.ts'
import { summary } from './summary.ts'

const INTERVAL_MS = 2_000

/**
 * Says on file, every two seconds, that payments can be made: this facilitator acts, its node answers and both signers
 * can pay for gas. Without it nobody is offered to pay. Ends when `stop` aborts.
 */
export async function keepBeating(facilitator: Facilitator, stop: AbortSignal): Promise<void> {
  const { client, signers, limits, store, log } = facilitator
  while (!stop.aborted) {
    try {
      const addresses = Object.values(signers).map((signer) => signer.address)
      const balances = await Promise.all(addresses.map((address) => client.getBalance({ address })))
      const poor = addresses.filter((_, index) => (balances[index] ?? 0n) < limits.minGasBalance)
      if (poor.length === 0) await store.beat()
      else log.error({ signers: poor }, 'no heartbeat: these signers have too little native coin for gas')
    } catch (error) {
      log.warn({ error: summary(error) }, 'no heartbeat')
    }
    await delay(INTERVAL_MS, undefined, { signal: stop }).catch(() => {})
  }
}
