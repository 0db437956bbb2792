import type { Selectable } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Terms } from '../../protocol/terms.ts'
import type { Settings } from '../context.ts'
import { requestIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { openRefund } from '../payouts/open.ts'

/** Stray money as its row holds it. */
export type StrayRow = Selectable<Database['market.strays']>

/** Stray money that just arrived. `terms` are a hold's; `orderId` is the order it was meant for, if we know one. */
export interface Stray {
  key: string
  kind: StrayRow['kind']
  orderId: string | null
  payer: Address
  nonce: Hex | null
  amountMicros: bigint
  txHash: Hex
  terms?: Terms
}

/** Keeps money apart that may yet become the order's it names: once its sender claims it, or the contract adopts it. */
export async function keepFor(tx: Tx, stray: Stray, status: 'waiting' | 'adopting'): Promise<void> {
  await insertStray(tx, stray, status)
}

/** Keeps money apart, and sends it back where a signature names the sender and it is worth the gas. */
export async function turnAway(tx: Tx, settings: Settings, stray: Stray): Promise<void> {
  const row = await insertStray(tx, stray, 'suspense')
  await returnStray(tx, settings, row)
}

/**
 * Asks for stray money to go back to its sender. A plain transfer stays in suspense, since an exchange's address is no
 * sender, and so does dust that names no order, since anybody could have us pay gas for it.
 */
export async function returnStray(tx: Tx, settings: Settings, stray: StrayRow): Promise<void> {
  if (stray.kind === 'transfer' || stray.nonce === null || isDust(settings, stray)) {
    await setStrayStatus(tx, stray.key, 'suspense')
    return
  }
  const payer = stray.payer as Address
  const nonce = stray.nonce as Hex
  const { key, amount_micros: amount, tx_hash: txHash } = stray
  if (stray.kind === 'hold') {
    const toPayer = { payer, recipients: [payer], amounts: [amount] }
    await requestIntent(tx, `release:${key}`, null, { kind: 'release', terms: readTerms(stray), ...toPayer })
  } else if (stray.kind === 'escrow_payment') {
    const payment = { from: payer, nonce, amount, txHash: txHash as Hex }
    await requestIntent(tx, `return_stray:${key}`, null, { kind: 'return_stray', payment })
  } else {
    await openRefund(tx, settings, { key, payer, nonce, amountMicros: amount, orderId: stray.order_id })
  }
  await setStrayStatus(tx, key, 'returning')
}

/** Says what has become of stray money. */
export async function setStrayStatus(tx: Tx, key: string, status: StrayRow['status']): Promise<void> {
  await tx.updateTable('market.strays').set({ status }).where('key', '=', key).execute()
}

/** The terms of a stray hold. Throws for a stray that is no hold. */
function readTerms(stray: StrayRow): Terms {
  if (!stray.terms) throw new Error(`stray ${stray.key} has no terms`)
  return { ...(stray.terms as unknown as Terms), amount: stray.amount_micros }
}

function isDust({ rules }: Settings, stray: StrayRow): boolean {
  return stray.order_id === null && stray.amount_micros < rules.minStrayReturnMicros
}

async function insertStray(tx: Tx, stray: Stray, status: StrayRow['status']): Promise<StrayRow> {
  const { key, kind, orderId, payer, nonce, amountMicros, txHash, terms } = stray
  return tx
    .insertInto('market.strays')
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
