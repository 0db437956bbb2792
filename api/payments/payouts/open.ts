import { newId } from '../../../protocol/encoding/ids.ts'
import { type PayoutLeg, payoutNonce } from '../../../protocol/payments/nonces.ts'
import type { Settings } from '../../context.ts'
import { lockPayoutWallets, payoutWallet } from '../../identity/wallets/payoutWallet.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { payoutMovedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { announcePayout, type PayoutRow } from './transition.ts'

/** A leg of a deposit to pay out; micro-units. */
export interface PayoutInput {
  deposit: { payer: string; nonce: string }
  leg: PayoutLeg
  amountMicros: bigint
  orderId: string | null
  agentId: string | null
  humanId: string | null
}

/**
 * Opens the payout of one leg. A refund goes to the payer. A seller's net goes to its payout wallet, and
 * waits, with an event, if it has verified none (spec 4.2).
 */
export async function openPayout(tx: Tx, { chain }: Pick<Settings, 'chain'>, input: PayoutInput): Promise<PayoutRow> {
  const { payer, nonce } = input.deposit
  const isBlocked = input.leg === 'payee' && !(await hasWallet(tx, input))
  const payout = await tx
    .insertInto('market.payouts')
    .values({
      id: newId(),
      order_id: input.orderId,
      agent_id: input.agentId,
      human_id: input.humanId,
      leg: input.leg,
      state: isBlocked ? 'blocked' : 'pending',
      amount_micros: input.amountMicros,
      to_address: input.leg === 'payer' ? payer : null,
      deposit_from: payer,
      deposit_nonce: nonce,
      nonce: payoutNonce(chain, { from: payer as `0x${string}`, nonce: nonce as `0x${string}` }, input.leg),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announcePayout(tx, payout)
  return payout
}

async function hasWallet(tx: Tx, { agentId, humanId }: PayoutInput): Promise<boolean> {
  if (agentId === null || humanId === null) throw new Error('a payout to a seller needs the seller')
  await lockPayoutWallets(tx, humanId)
  return (await payoutWallet(tx, agentId)) !== undefined
}

/**
 * Opens the refund of an unmatched deposit, out of suspense. The owner of the wallet it came from can see it,
 * if known.
 */
export async function openRefund(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  stray: { key: string; payer: string; nonce: string; amountMicros: bigint; orderId: string | null },
): Promise<PayoutRow> {
  const owner = await tx
    .selectFrom('market.wallet_owners')
    .select('owner_id')
    .where('address', '=', stray.payer)
    .executeTakeFirst()
  const payout = await openPayout(tx, settings, {
    deposit: stray,
    leg: 'payer',
    amountMicros: stray.amountMicros,
    orderId: stray.orderId,
    agentId: null,
    humanId: owner?.owner_id ?? null,
  })
  const [from, to] = [
    { kind: 'suspense', strayKey: stray.key },
    { kind: 'in_transit', payoutId: payout.id },
  ] as const
  await post(tx, payoutMovedPosting(settings.chain, payout, { step: 'opened', from, to }))
  return payout
}
