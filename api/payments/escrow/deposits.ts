import type { Address, Hex } from 'viem'
import { type DepositIdentity, type PayoutLeg, payoutNonce } from '../../../protocol/payments/nonces.ts'
import type { ChainSettings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { PaymentEvent } from '../chain/evidence.ts'

/** Records a signed payment into the hot wallet, with the nonces of its two possible payouts. */
export async function recordDeposit(tx: Tx, chain: ChainSettings, event: PaymentEvent): Promise<void> {
  const identity: DepositIdentity = { from: event.from, nonce: event.nonce }
  await tx
    .insertInto('market.deposits')
    .values({
      payer: event.from,
      nonce: event.nonce,
      amount_micros: event.amountMicros,
      tx_hash: event.place.txHash,
      payee_payout_nonce: payoutNonce(chain, identity, 'payee'),
      payer_payout_nonce: payoutNonce(chain, identity, 'payer'),
    })
    .execute()
}

/** A deposit, and which of its legs a payout nonce is for. */
export interface DepositLeg {
  payer: Address
  nonce: Hex
  leg: PayoutLeg
}

/** Returns the deposit that a payout nonce pays out. Undefined if no known deposit has this nonce. */
export async function depositOfPayout(tx: Tx, nonce: Hex): Promise<DepositLeg | undefined> {
  const deposit = await tx
    .selectFrom('market.deposits')
    .select(['payer', 'nonce', 'payee_payout_nonce'])
    .where((row) => row.or([row('payee_payout_nonce', '=', nonce), row('payer_payout_nonce', '=', nonce)]))
    .executeTakeFirst()
  if (!deposit) return undefined
  const leg = deposit.payee_payout_nonce === nonce ? 'payee' : 'payer'
  return { payer: deposit.payer as Address, nonce: deposit.nonce as Hex, leg }
}
