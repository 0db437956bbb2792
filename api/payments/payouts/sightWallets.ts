import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { HandoverSignatures } from '../../../protocol/payments/walletHandover.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { requestIntent } from '../chain/intents.ts'
import { payoutEvents } from './module.ts'

const AT_ONCE = 100

/**
 * Has the facilitator record each wallet that an account is or will be paid to, soon after it was bound, and
 * not at its first payout; and each hand-over. Then closes those intents that the facilitator has ended, and
 * tells the owner if it cannot tell which of their wallets is theirs.
 */
export async function sightWallets(services: JobServices): Promise<void> {
  const find = (limit: number) => findUnsighted(services, limit)
  await forEachPending(services, 'wallet', { find, act: (wallet) => request(services, wallet), atOnce: AT_ONCE })
  const ended = (limit: number) => findEnded(services, limit)
  await forEachPending(services, 'sight of a wallet', {
    find: ended,
    act: (one) => close(services, one),
    atOnce: AT_ONCE,
  })
}

interface Unsighted {
  id: string
  owner_id: string
  address: string
  message: string
  signature: Hex
  handover: { from: string; signatures: HandoverSignatures } | null
  attempts: number
}

// An earlier wallet must be recorded too: it may not be paid any more when it hands over to another.
async function findUnsighted({ db }: JobServices, limit: number): Promise<Unsighted[]> {
  const { rows } = await sql<Unsighted>`
    select wallet.id, wallet.owner_id, wallet.address, wallet.message, wallet.signature, wallet.handover,
      (select count(*)::integer from market.intents where key = 'sight_wallet:' || wallet.id) as attempts
    from market.wallets wallet
    where wallet.doubtful_since is null
      and (wallet.payout_from is not null and not exists (select from market.wallets other
          where other.account_id = wallet.account_id and other.payout_from > wallet.payout_from
            and other.payout_from <= market.now())
        or exists (select from market.wallets later
          where later.owner_id = wallet.owner_id and later.handover->>'from' = wallet.address))
      and not exists (select from market.intents asked where asked.key = 'sight_wallet:' || wallet.id
        and asked.payload->'binding'->>'signature' = wallet.signature
        and asked.payload->'handover'->'signatures' is not distinct from wallet.handover->'signatures')
    order by wallet.payout_from, wallet.id limit ${limit}`.execute(db)
  return rows
}

async function request({ db }: JobServices, wallet: Unsighted): Promise<void> {
  const { handover } = wallet
  await inTransaction(db, 'read write', (tx) =>
    requestIntent(
      tx,
      { key: `sight_wallet:${wallet.id}`, attempt: wallet.attempts + 1, orderId: null },
      {
        kind: 'sight_wallet',
        ownerId: wallet.owner_id,
        wallet: getAddress(wallet.address),
        binding: { message: wallet.message, signature: wallet.signature },
        ...(handover ? { handover: { ...handover, from: getAddress(handover.from) } } : {}),
      },
    ),
  )
}

interface Ended {
  id: string
  wallet_id: string
  owner_id: string
  status: 'confirmed' | 'failed' | 'refused'
  reason: string | null
}

async function findEnded({ db }: JobServices, limit: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select intent.id, substr(intent.key, length('sight_wallet:') + 1) as wallet_id, intent.payload->>'ownerId' as owner_id,
      outcome.status, outcome.reason
    from market.intents intent join facilitator.outcomes outcome on outcome.intent_id = intent.id
    where intent.kind = 'sight_wallet' and intent.closed_at is null order by intent.id limit ${limit}`.execute(db)
  return rows
}

async function close({ db }: JobServices, { id, wallet_id: walletId, owner_id: ownerId, status, reason }: Ended) {
  await inTransaction(db, 'read write', async (tx) => {
    const { rows } = await sql`update market.intents set closed_at = market.now(),
        closing = ${status === 'confirmed' ? 'settled' : 'failed'}
      where id = ${id} and closed_at is null returning id`.execute(tx)
    if (rows.length === 0 || status === 'confirmed') return
    await emit(tx, payoutEvents['payout.wallet_unproved'], {
      payload: { wallet_urn: urnString('wallet', walletId), reason: reason ?? status },
      visibleTo: [ownerId],
    })
  })
}
