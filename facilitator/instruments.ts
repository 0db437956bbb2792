import { Counter, Gauge } from '@prometheus-io/client'
import type { Address } from 'viem'
import { registry } from '../protocol/telemetry/metrics.ts'
import type { KeyState } from './keys/signers.ts'

const labelNames = ['role', 'address'] as const

const balances = new Gauge({
  name: 'market_gas_wei',
  help: 'The native coin of each key that pays for gas.',
  labelNames,
  registers: [registry],
})
const least = new Gauge({
  name: 'market_gas_minimum_wei',
  help: 'MIN_GAS_BALANCE: a key below it is not relied on.',
  registers: [registry],
})
const unmined = new Gauge({
  name: 'market_transactions_unmined',
  help: 'Transactions of each key that no block has.',
  labelNames,
  registers: [registry],
})
const waited = new Gauge({
  name: 'market_nonce_waits_heads',
  help: 'How many blocks the next nonce of each key has waited for: later nonces wait for it.',
  labelNames,
  registers: [registry],
})
const acting = new Gauge({
  name: 'market_facilitator_acting',
  help: '1 while this process holds the lease of the keys; the others stand by.',
  registers: [registry],
})
const steps = new Counter({
  name: 'market_intent_steps_total',
  help: 'Steps of intents, by their outcome.',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
})

/** Sets what the keys of a role have for gas. */
export function setBalances(role: string, of: ReadonlyMap<Address, bigint>, leastWei: bigint): void {
  for (const [address, wei] of of) balances.set({ role, address }, Number(wei))
  least.set(Number(leastWei))
}

/** Sets where each key's transactions stand. */
export function setKeys(states: readonly KeyState[]): void {
  for (const { role, address, headsWaited, unmined: count } of states) {
    unmined.set({ role, address }, count)
    waited.set({ role, address }, headsWaited)
  }
}

/**
 * Says whether this process acts. When it stops, what it measured of the keys is gone: another process
 * measures them.
 */
export function setActing(acts: boolean): void {
  acting.set(Number(acts))
  if (!acts) for (const gauge of [balances, unmined, waited]) gauge.reset()
}

/** Counts a step of an intent. */
export function countStep(kind: string, outcome: string): void {
  steps.inc({ kind, outcome })
}
