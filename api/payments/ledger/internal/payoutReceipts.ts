import { type Selectable, sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import { type IntentOf, intentPayload } from '../../../../protocol/payments/intents.ts'
import { sellerUrns } from '../../../../protocol/payments/nonces.ts'
import { accountColumn, accountOf } from '../../../actor.ts'
import type { Actor, ChainSettings } from '../../../context.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { assetKey } from '../post.ts'
import type { PayoutReceiptBody } from '../routes.ts'

type Columns = Selectable<Database['market.payouts'] & Database['market.processed_chain_events']>

/** A confirmed payout, with its deposit and its place on the chain. */
export type PayoutReceiptRow = Pick<
  Columns,
  'id' | 'order_id' | 'agent_id' | 'leg' | 'amount_micros' | 'deposit_from' | 'deposit_nonce' | 'nonce'
> &
  Pick<Columns, 'block_number' | 'block_hash' | 'log_index'> & {
    to_address: string
    tx_hash: string
    confirmed_at: Date
    deposit_micros: bigint
    deposit_tx: string
    /** The request to the facilitator; null for a payout that was found on the chain. */
    payload: unknown
  }

/**
 * Returns confirmed payouts to an agent, or to a human and all their agents, newest first, below a cursor id.
 * Excludes one that a reorganisation removed, until it is mined again.
 */
export async function listPayoutReceiptRows(
  tx: Tx,
  actor: Actor,
  page: { from: string | undefined; limit: number },
): Promise<PayoutReceiptRow[]> {
  const payee = sql.ref(`payout.${accountColumn(actor)}`)
  const { rows } = await sql<PayoutReceiptRow>`
    select payout.id, payout.order_id, payout.agent_id, payout.leg, payout.amount_micros, payout.to_address,
      payout.deposit_from, payout.deposit_nonce, payout.nonce, payout.confirmed_at,
      event.tx_hash, event.block_number, event.block_hash, event.log_index,
      deposit.amount_micros as deposit_micros, deposit.tx_hash as deposit_tx, intent.payload
    from market.payouts payout
    join market.processed_chain_events event on event.key = 'outflow:' || payout.nonce and event.vanished_at is null
    join market.deposits deposit on deposit.payer = payout.deposit_from and deposit.nonce = payout.deposit_nonce
    left join market.intents intent on intent.key = 'payout:' || payout.id and intent.attempt = payout.attempt
    where ${payee} = ${accountOf(actor)} and payout.state = 'confirmed'
      and ${page.from === undefined ? sql`true` : sql`payout.id < ${page.from}`}
    order by payout.id desc limit ${page.limit}`.execute(tx)
  return rows
}

/** Returns a payout's receipt in wire form. */
export function toPayoutReceipt(chain: ChainSettings, row: PayoutReceiptRow): PayoutReceiptBody {
  const asked = intentPayload.safeParse(row.payload).data
  return {
    payout_urn: urn('payout', row.id),
    order_urn: row.order_id ? urn('order', row.order_id) : null,
    agent_urn: row.agent_id ? urn('agent', row.agent_id) : null,
    leg: row.leg,
    asset: assetKey(chain),
    amount: formatAmount(row.amount_micros),
    from: chain.hotWallet,
    to: getAddress(row.to_address as Address),
    nonce: row.nonce as Hex,
    deposit: {
      from: getAddress(row.deposit_from as Address),
      nonce: row.deposit_nonce as Hex,
      amount: formatAmount(row.deposit_micros),
      tx_hash: row.deposit_tx as Hex,
    },
    tx_hash: row.tx_hash as Hex,
    block_number: Number(row.block_number),
    block_hash: row.block_hash as Hex,
    log_index: row.log_index,
    confirmed_at: row.confirmed_at.toISOString(),
    ...(asked?.kind === 'payout' ? evidenceOf(asked) : {}),
  }
}

/** Returns the evidence from which an auditor can tell that a seller's net went to the seller. */
function evidenceOf({ sale, binding }: IntentOf<'payout'>): Pick<PayoutReceiptBody, 'sale' | 'binding'> {
  if (!sale || !binding) return {}
  const [seller_urn, owner_urn] = sellerUrns(sale)
  return { sale: { order_urn: urnString('order', sale.orderId), seller_urn, owner_urn }, binding }
}
