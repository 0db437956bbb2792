import type { Address, Hex } from 'viem'
import type { ChainEvent, Place } from '../../../../../api/payments/chain/evidence.ts'
import { submitPayout } from '../../../../../api/payments/payouts/internal/submit.ts'
import { applyChainEvent } from '../../../../../api/payments/settlement/internal/applyChainEvent.ts'
import type { Tx } from '../../../../../api/platform/db/pool.ts'
import { createMarket } from '../../../../../sdk/market.ts'
import { type PlacedOrder, randomHash, type TestMarket, type Trader } from '../../trading.ts'

/** Runs a verb in a transaction of its own. */
export function run<Answer>({ api }: TestMarket, verb: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return api.workerDb.transaction().execute(verb)
}

/** The market as the owner of an agent. */
export function ownerOf({ api }: TestMarket, { humanToken }: Pick<Trader, 'humanToken'>) {
  return createMarket({ baseUrl: api.baseUrl, token: humanToken })
}

/** A place on the chain, in a transaction of its own. */
function placeAt(blockNumber: bigint): Place {
  return { blockNumber, blockHash: randomHash(), txHash: randomHash(), logIndex: 1 }
}

/** Tells the market what the chain shows. */
async function tell(market: TestMarket, event: ChainEvent): Promise<ChainEvent['place']> {
  await run(market, (tx) => applyChainEvent(tx, market.api.settings, event))
  return event.place
}

/**
 * The contract distributed the hold of an order: so much back to its payer, the rest to the seller less the
 * fee of 5%.
 */
export async function releaseInContract(
  market: TestMarket,
  order: PlacedOrder,
  { refundMicros = 0n, block = 10n }: { refundMicros?: bigint; block?: bigint } = {},
): Promise<Place> {
  const { db } = market.api
  const held = await db
    .selectFrom('market.holds')
    .innerJoin('market.orders', 'market.orders.id', 'market.holds.order_id')
    .select(['hold_key', 'payer', 'amount_micros', 'payee', 'fee_recipient', 'order_key'])
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const paidMicros = held.amount_micros - refundMicros
  const feeMicros = (paidMicros * 500n) / 10_000n
  const credits = [
    { account: held.payee as Address, amountMicros: paidMicros - feeMicros },
    { account: held.payer as Address, amountMicros: refundMicros },
    { account: held.fee_recipient as Address, amountMicros: feeMicros },
  ].filter(({ amountMicros }) => amountMicros > 0n)
  const named = { holdId: held.hold_key as Hex, order: held.order_key as Hex, payer: held.payer as Address }
  return tell(market, { kind: 'released', place: placeAt(block), ...named, credits, cause: 0 })
}

/** A wallet withdrew its credit from the contract. */
export async function withdrawInContract(
  market: TestMarket,
  account: string,
  amountMicros: bigint,
  block: bigint,
): Promise<Place> {
  const address = account.toLowerCase() as Address
  return tell(market, {
    kind: 'withdrawn',
    place: placeAt(block),
    account: address,
    to: address,
    amountMicros,
    ordinal: 0,
  })
}

/** Sends the newest payout, and tells the market that the chain shows it. */
export async function payOutNewest(market: TestMarket): Promise<Place> {
  const newest = () =>
    market.api.db.selectFrom('market.payouts').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const { id } = await newest()
  await run(market, (tx) => submitPayout(tx, market.api.settings, id))
  const { nonce, amount_micros: amountMicros, to_address: to } = await newest()
  return tell(market, {
    kind: 'outflow',
    place: placeAt(7n),
    to: to as Address,
    amountMicros,
    nonce: nonce as Hex,
  })
}
