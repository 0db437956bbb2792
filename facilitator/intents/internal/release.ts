import { decodeEventLog, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { holdId, termsHash } from '../../../protocol/payments/terms.ts'
import { findNewestLog } from '../../../protocol/rpc/logs.ts'
import { RELEASED } from '../../../protocol/rpc/topics.ts'
import { confirmed, type Decision, type Ending, failed, send, wait } from '../../context/decision.ts'
import { readHoldState } from '../../evidence/holdState.ts'
import type { Pass } from '../../evidence/pass.ts'
import { distributionOf } from '../../proof/distribution.ts'
import { objectionToDistribution } from '../../proof/releaseGate.ts'

type Release = IntentOf<'release'>

/**
 * Decides the split of a hold. The contract does it once; if it did something else instead, this fails. A
 * distribution without proof waits once the day's sum is used up.
 */
export async function decideRelease(pass: Pass, intent: Release): Promise<Decision> {
  if (await pass.store.arePayoutsStopped('escrow')) return wait('releases_stopped')
  const { terms, payer, recipients, amounts } = intent
  const { state } = await readHoldState(pass, holdId(termsHash(pass.at, terms), payer))
  const objection = state === 'held' ? await objectionToDistribution(pass, distributionOf(pass.at, intent)) : undefined
  if (objection) return objection
  const args = [terms, payer, recipients, amounts] as const
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'release', args })
  const call = { signer: 'resolver', to: pass.at.escrow, data, validBefore: null } as const
  return send({ ...call, explain: () => explainRefusal(pass, intent) })
}

/** Explains a refusal: the hold does not exist yet, or is no longer `held`. */
async function explainRefusal(pass: Pass, intent: Release): Promise<Ending | undefined> {
  const id = holdId(termsHash(pass.at, intent.terms), intent.payer)
  const { state, isFinal } = await readHoldState(pass, id)
  switch (state) {
    case 'none':
      return wait('hold_unseen')
    case 'held':
      return undefined
    case 'released': {
      if (!isFinal) return wait('release_not_final')
      const txHash = await findSameRelease(pass, id, intent)
      return txHash ? confirmed(txHash) : failed('hold_released_otherwise')
    }
    case 'reclaimed':
      return isFinal ? failed('hold_reclaimed') : wait('reclaim_not_final')
    case 'returned':
      return failed('payment_returned')
  }
}

async function findSameRelease(
  { client, at, head }: Pass,
  id: Hex,
  { recipients, amounts }: Release,
): Promise<Hex | undefined> {
  const range = { fromBlock: at.startBlock, toBlock: head.latest.number }
  const log = await findNewestLog(client, { address: at.escrow, topics: [RELEASED, id], ...range })
  if (!log) throw new Error(`hold ${id} is released, and the node finds no event that says how`)
  const { args } = decodeEventLog({
    abi: escrowAbi,
    eventName: 'Released',
    topics: log.topics,
    data: log.data,
  })
  const isSame =
    args.recipients.length === recipients.length &&
    args.recipients.every(
      (to, leg) => isAddressEqual(to, recipients[leg] ?? at.escrow) && args.amounts[leg] === amounts[leg],
    )
  return isSame ? log.transactionHash : undefined
}
