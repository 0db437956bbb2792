import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { type Head, HeadRefused, OtherChain, readHead } from './chain/head.ts'
import type { SignerRole } from './context/decision.ts'
import { createReminder } from './context/lasting.ts'
import { summary } from './context/summary.ts'
import type { Facilitator } from './evidence/pass.ts'
import { setBalances, setKeys } from './instruments.ts'
import { solvencyFault } from './solvencyCheck.ts'

const INTERVAL_MS = 2_000
/** Higher fees and no-ops have not helped by then (keys/upkeep.ts). */
const HOPELESS_HEADS = 30
/** A sandbox moves its chain's clock just before its database's. */
const REFUSED_ALARM_AFTER_MS = 3_000
const ROLES: readonly SignerRole[] = ['submitter', 'resolver']

/**
 * Records on file, every two seconds, that payments can be made: this facilitator holds the lease, its node
 * answers and serves our chain, a remote signer holds its keys, a key of each role can pay for gas, and no
 * fault blocks payments. Without it no buyer is offered payment. Ends when `stop` aborts.
 */
export async function keepBeating(
  facilitator: Facilitator,
  requireKeys: () => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const { signers, store, log } = facilitator
  const isToTell = createReminder()
  const isToTellOfHead = createReminder(REFUSED_ALARM_AFTER_MS)
  let head: Head | undefined
  while (!stop.aborted) {
    try {
      head = await readHead(facilitator, head)
      isToTellOfHead('refused', false)
      if (isToTell('behind', head.isBehind))
        log.error({ alarm: true, block: head.latest.number.toString() }, HEAD_BEHIND)
      const faults = [findPoor(facilitator), solvencyFault(facilitator, head), requireKeys()] as const
      const [poor, fault] = await Promise.all(faults)
      signers.setPoor(poor)
      const isBroke = tellKeys(facilitator, poor, isToTell)
      if (fault) log.error({ alarm: true }, `no heartbeat: ${fault}`)
      if (fault === undefined && !isBroke) await store.beat()
    } catch (error) {
      const isRefused = isToTellOfHead('refused', error instanceof HeadRefused)
      if (isRefused || isToTell('chain', error instanceof OtherChain)) log.error({ alarm: true }, summary(error))
      log.warn({ error: summary(error) }, 'no heartbeat')
    }
    await delay(INTERVAL_MS, undefined, { signal: stop }).catch(() => {})
  }
}

const HEAD_BEHIND = 'the newest block is old: the hot wallet signs nothing until the chain goes on'

async function findPoor({ client, signers, limits }: Facilitator): Promise<Address[]> {
  const found = await Promise.all(
    ROLES.map(async (role) => {
      const read = async (address: Address) => [address, await client.getBalance({ address })] as const
      const balances = new Map(await Promise.all(signers.addresses(role).map(read)))
      setBalances(role, balances, limits.minGasBalance)
      return [...balances].flatMap(([address, wei]) => (wei < limits.minGasBalance ? [address] : []))
    }),
  )
  return found.flat()
}

/**
 * Measures the keys, and tells of those that need a person. Returns whether a role has none that can pay for
 * gas.
 */
function tellKeys(
  { signers, log }: Facilitator,
  poor: readonly Address[],
  isToTell: ReturnType<typeof createReminder>,
): boolean {
  const states = signers.states()
  setKeys(states)
  const stuck = states.filter(({ headsWaited }) => headsWaited >= HOPELESS_HEADS).map(({ address }) => address)
  const isBroke = ROLES.some((role) => signers.addresses(role).every((address) => poor.includes(address)))
  const tell = (what: string, lasts: boolean, about: object, message: string) => {
    if (isToTell(what, lasts)) log.error({ alarm: true, ...about }, message)
  }
  tell('gas', poor.length > 0, { signers: poor }, 'these signers have too little native coin for gas')
  tell('broke', isBroke, {}, 'no heartbeat: a role has no signer that can pay for gas')
  tell(
    'nonce',
    stuck.length > 0,
    { signers: stuck },
    'a nonce is stuck: no block takes its transaction, and later ones wait',
  )
  return isBroke
}
