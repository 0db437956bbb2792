import type { Selectable } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Terms } from '../../../protocol/payments/terms.ts'
import type { Settings } from '../../context.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { requestIntent } from '../chain/intents.ts'
import { openRefund } from '../payouts/open.ts'

/** A stray payment, as stored. */
export type StrayPaymentRow = Selectable<Database['market.unmatched_payments']>

/**
 * A payment that just arrived and funds nothing. `terms` are a hold's; `orderId` is the order it was meant
 * for, if known.
 */
export interface StrayPayment {
  key: string
  kind: StrayPaymentRow['kind']
  orderId: string | null
  payer: Address
  nonce: Hex | null
  amountMicros: bigint
  txHash: Hex
  terms?: Terms
}

/** Parks a payment that may still fund its order: once its payer files it, or the contract adopts it. */
export async function parkPayment(tx: Tx, payment: StrayPayment, status: 'waiting' | 'adopting'): Promise<void> {
  await insertStray(tx, payment, status)
}

/**
 * Records a payment that funds nothing, and returns it if a signature identifies its payer and the amount is
 * worth the gas.
 */
export async function rejectPayment(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  payment: StrayPayment,
): Promise<void> {
  const row = await insertStray(tx, payment, 'suspense')
  await returnPayment(tx, settings, row)
}

/**
 * Requests the return of a stray payment to its payer. A plain transfer stays in suspense, because its sender
 * may be an exchange's address; so does dust for no known order, because anyone could make us pay gas for it.
 */
export async function returnPayment(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  payment: StrayPaymentRow,
): Promise<void> {
  if (payment.kind === 'transfer' || payment.nonce === null || isDust(settings, payment)) {
    await setStrayStatus(tx, payment.key, 'suspense')
    return
  }
  const payer = payment.payer as Address
  const nonce = payment.nonce as Hex
  const { key, amount_micros: amount, tx_hash: txHash } = payment
  if (payment.kind === 'hold') {
    const toPayer = { payer, recipients: [payer], amounts: [amount] }
    const release = { kind: 'release', terms: readTerms(payment), ...toPayer } as const
    await requestIntent(tx, { key: `release:${key}`, orderId: null }, release)
  } else if (payment.kind === 'escrow_payment') {
    const returned = { from: payer, nonce, amount, txHash: txHash as Hex }
    await requestIntent(tx, { key: `return_stray:${key}`, orderId: null }, { kind: 'return_stray', payment: returned })
  } else {
    await openRefund(tx, settings, { key, payer, nonce, amountMicros: amount, orderId: payment.order_id })
  }
  await setStrayStatus(tx, key, 'returning')
}

/** Sets the status of a stray payment. */
export async function setStrayStatus(tx: Tx, key: string, status: StrayPaymentRow['status']): Promise<void> {
  await tx.updateTable('market.unmatched_payments').set({ status }).where('key', '=', key).execute()
}

/** Returns the terms of an unmatched hold. Throws for a payment that is not a hold. */
function readTerms(payment: StrayPaymentRow): Terms {
  if (!payment.terms) throw new Error(`unmatched payment ${payment.key} has no terms`)
  return { ...(payment.terms as unknown as Terms), amount: payment.amount_micros }
}

function isDust({ rules }: Pick<Settings, 'rules'>, payment: StrayPaymentRow): boolean {
  return payment.order_id === null && payment.amount_micros < rules.minStrayReturnMicros
}

async function insertStray(tx: Tx, payment: StrayPayment, status: StrayPaymentRow['status']): Promise<StrayPaymentRow> {
  const { key, kind, orderId, payer, nonce, amountMicros, txHash, terms } = payment
  return tx
    .insertInto('market.unmatched_payments')
    .values({
      key,
      kind,
      status,
      order_id: orderId,
      payer,
      nonce,
      amount_micros: amountMicros,
      tx_hash: txHash,
      terms: terms ? JSON.stringify({ ...terms, amount: terms.amount.toString() }) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
