import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import type { IntentOf } from '../protocol/intents.ts'
import type { Pass } from './context.ts'
import { type Ending, failed, refused, wait } from './decision.ts'
import { refusalAt } from './simulate.ts'

/** How the token refuses an account, whoever pays it. */
const REFUSES_RECIPIENT = 'blacklisted'

/**
 * What stands against a refund to somebody else than its payer: everything but that the token refuses the payer, at the
 * newest block and at confirmed depth, and takes the other. Were that not asked here, whoever writes intents could have
 * every refund.
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

/** Why the token would not let the hot wallet transfer to an account at a block. */
function transferRefusal(pass: Pass, to: Address, amount: bigint, blockHash: Hex): Promise<string | undefined> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
  return refusalAt(pass, { to: pass.at.token, data }, pass.at.hotWallet, { blockHash })
}
