import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { IntentOf } from '../../protocol/payments/intents.ts'
import { type Ending, failed, refused, wait } from '../context/decision.ts'
import type { Pass } from '../evidence/pass.ts'
import { refusalAt } from '../evidence/simulate.ts'

/** The token's refusal of an account, independent of the sender. */
const REFUSES_RECIPIENT = 'blacklisted'

/**
 * Returns why a refund may not go to another address than its payer's, or undefined if it may: the token must
 * refuse the payer, at the newest block and at confirmed depth, and accept the other. Without this check,
 * anyone who can write intents could redirect every refund.
 */
export async function objectionTo(
  pass: Pass,
  { deposit, leg, to, amount }: IntentOf<'payout'>,
): Promise<Ending | undefined> {
  if (leg === 'payee' || isAddressEqual(to, deposit.from)) return undefined
  const { latest, confirmed } = pass.head
  for (const { hash } of [confirmed, latest]) {
    const reason = await transferRefusal(pass, deposit.from, amount, hash)
    if (reason === undefined) return refused('payer_can_be_paid')
    if (reason !== REFUSES_RECIPIENT) return wait(reason)
  }
  const reason = await transferRefusal(pass, to, amount, latest.hash)
  if (reason === undefined) return undefined
  return reason === REFUSES_RECIPIENT ? failed(reason) : wait(reason)
}

/** Returns why the token would refuse a transfer from the hot wallet to an account at a block. */
function transferRefusal(pass: Pass, to: Address, amount: bigint, blockHash: Hex): Promise<string | undefined> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
  return refusalAt(pass, { to: pass.at.token, data }, pass.at.hotWallet, { blockHash })
}
