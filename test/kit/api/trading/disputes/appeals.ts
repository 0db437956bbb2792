import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { createHuman } from '../../../../../api/identity/accounts/createHuman.ts'
import type { AppealFeeRow } from '../../../../../api/payments/appealFees/find.ts'
import type { PaymentEvent } from '../../../../../api/payments/chain/evidence.ts'
import { appealVerdict } from '../../../../../api/trading/disputes/appeals/appeal.ts'
import { fundAppeal } from '../../../../../api/trading/disputes/appeals/fundAppeal.ts'
import { decideCase } from '../../../../../api/trading/disputes/reviews/internal/decide.ts'
import { place } from '../../payments/escrow/chainEvents.ts'
import { giveToken, newAddress, type Party, type World } from '../../payments/escrow/world.ts'
import type { DisputedTrade } from './world.ts'

type Side = 'buyer' | 'seller'

/** Has a side appeal. */
export function appeal({ run }: World, trade: DisputedTrade, party: Side): Promise<AppealFeeRow> {
  return run((tx) => appealVerdict(tx, trade[party].call, trade.disputeId))
}

/** Has a side hand over what its wallet signed for the fee, as if its signature had been checked. */
export async function fund(world: World, trade: DisputedTrade, party: Side, fee: AppealFeeRow, from: Address) {
  const [validAfter, validBefore] = [fee.valid_after, fee.valid_before].map((time) => BigInt(time.getTime() / 1000))
  const authorization = {
    ...{
      from,
      to: fee.recipient as Address,
      value: fee.amount_micros,
      nonce: fee.nonce as Hex,
      signature: '0x01' as Hex,
    },
    ...{ validAfter: validAfter ?? 0n, validBefore: validBefore ?? 0n },
  }
  const payment = { lane: 'native' as const, orderId: trade.disputeId, authorization, isSigned: true }
  const isGiven = world.db.selectFrom('market.tokens').select('id').where('id', '=', trade[party].call.actor.tokenId)
  if (!(await isGiven.executeTakeFirst())) await giveToken(world, trade[party])
  return world.run((tx) => fundAppeal(tx, trade[party].call, trade.disputeId, payment))
}

/** A signed payment of a fee reached the hot wallet. */
export function feeEvent(fee: AppealFeeRow, from: Address, changes: Partial<PaymentEvent> = {}): PaymentEvent {
  const { recipient, amount_micros: amountMicros, nonce } = fee
  const to = recipient as Address
  return { kind: 'payment', place: place(), from, to, amountMicros, nonce: nonce as Hex, holdId: null, ...changes }
}

/** The appeals of a dispute. */
export async function feesOf({ db }: World, { disputeId }: Pick<DisputedTrade, 'disputeId'>): Promise<AppealFeeRow[]> {
  return db.selectFrom('market.appeal_fees').selectAll().where('dispute_id', '=', disputeId).orderBy('party').execute()
}

/** Names a reviewer of the service, as the owner of the database does. */
export async function appoint({ db, settings }: World): Promise<string> {
  const profile = { displayName: 'Reviewer', role: 'operator', isReviewer: true, createdBy: null } as const
  const { urn } = await db
    .transaction()
    .execute((tx) => createHuman(tx, settings, { ...profile, email: `${randomUUID()}@example.com` }))
  return urn.body
}

/** Has the assigned reviewers decide. */
export async function review(world: World, { buyer, disputeId }: DisputedTrade, refundMicros: bigint): Promise<void> {
  const { rows } = await sql<{ reviewer_id: string }>`select reviewer_id from market.reviews
    where dispute_id = ${disputeId} and ended_at is null and decided_at is null`.execute(world.db)
  for (const { reviewer_id: humanId } of rows) {
    const call = { ...buyer.call, actor: { ...buyer.call.actor, humanId, agentId: null, isOperator: true } }
    await world.run((tx) => decideCase(tx, call, disputeId, { refundMicros, grounds: 'I have read it.' }))
  }
}

/** A further wallet of a party's owner. */
export async function walletOf({ db }: World, { humanId }: Party): Promise<Address> {
  const address = newAddress()
  await db.insertInto('market.wallet_owners').values({ address, owner_id: humanId }).execute()
  return address
}
