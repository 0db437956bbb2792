import type { Hex } from 'viem'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { termsHash } from '../../../protocol/payments/terms.ts'
import { freeAccount, newTerms, signTransfer } from '../chain/payments.ts'
import { until } from '../until.ts'
import { type Bench, request, type TransactionRow, transactionsOf } from './facilitator.ts'

export const PRICE = 20_000_000n

export const buyer = freeAccount(0)
export const seller = freeAccount(1)

/** The funding of an order, as its buyer has signed it. */
export async function newFund({ chain }: Bench, times: { validBefore?: bigint } = {}): Promise<IntentOf<'fund'>> {
  const terms = await newTerms(chain, seller.address, PRICE)
  const message = { to: chain.escrow, value: PRICE, nonce: termsHash(chain, terms), ...times }
  return { kind: 'fund', terms, authorization: await signTransfer(chain, buyer, message) }
}

/** Asks the facilitator for one. */
export async function requestFund(bench: Bench): Promise<string> {
  return request(bench, await newFund(bench))
}

/** Whether the node has a transaction, mined or not. */
export function isInPool({ chain }: Bench, hash: Hex): Promise<boolean> {
  return chain.client.getTransaction({ hash }).then(
    () => true,
    () => false,
  )
}

/** Waits until so many transactions of an intent are written down. */
export async function untilOnFile(bench: Bench, intent: string, count: number): Promise<TransactionRow[]> {
  await until(`${count} transactions are on file`, async () => (await transactionsOf(bench, intent)).length >= count)
  return transactionsOf(bench, intent)
}
