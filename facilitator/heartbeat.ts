import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { type Head, OtherChain, readHead } from './chain/head.ts'
import type { SignerRole } from './context/chain.ts'
import { summary } from './context/summary.ts'
import type { Facilitator } from './evidence/pass.ts'
import { solvencyFault } from './solvencyCheck.ts'

const INTERVAL_MS = 2_000
const ROLES: readonly SignerRole[] = ['submitter', 'resolver']

/**
 * Records on file, every two seconds, that payments can be made: this facilitator holds the lease, its node answers and
 * serves our chain, a remote signer holds its keys, a key of each role can pay for gas, and no fault blocks payments. Without it no buyer is offered
 * payment. Ends when `stop` aborts.
 */
export async function keepBeating(
  facilitator: Facilitator,
  requireKeys: () => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const { signers, store, log } = facilitator
  let head: Head | undefined
  while (!stop.aborted) {
    try {
      head = await readHead(facilitator, head)
      const faults = [findPoor(facilitator), solvencyFault(facilitator, head), requireKeys()] as const
      const [poor, fault] = await Promise.all(faults)
      signers.setPoor(poor)
      if (poor.length > 0) log.error({ signers: poor }, 'these signers have too little native coin for gas')
      const canPay = (role: SignerRole) => signers.addresses(role).some((address) => !poor.includes(address))
      if (fault) log.error({ alarm: true }, `no heartbeat: ${fault}`)
      else if (ROLES.every(canPay)) await store.beat()
      else log.error('no heartbeat: a role has no signer that can pay for gas')
    } catch (error) {
      if (error instanceof OtherChain) log.error({ alarm: true }, error.message)
      log.warn({ error: summary(error) }, 'no heartbeat')
    }
    await delay(INTERVAL_MS, undefined, { signal: stop }).catch(() => {})
  }
}

async function findPoor({ client, signers, limits }: Facilitator): Promise<Address[]> {
  const addresses = ROLES.flatMap((role) => signers.addresses(role))
  const balances = await Promise.all(addresses.map((address) => client.getBalance({ address })))
  return addresses.filter((_, index) => (balances[index] ?? 0n) < limits.minGasBalance)
}
