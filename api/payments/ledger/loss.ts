import { sql } from 'kysely'
import type { ChainSettings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { businessKey, type LeakEvent, type OutflowEvent, placeEvidence } from '../chain/evidence.ts'
import { assetKey, type Leg, type Owner, type Posting } from './post.ts'

/** An event, and which of its removals or restorations this is. */
export interface Disappearance {
  key: string
  kind: string
  times: number
}

/**
 * Returns the posting for tokens that left for no reason shown on the chain, once an operator has explained
 * it. Liabilities do not change.
 */
export function lostPosting(chain: ChainSettings, event: OutflowEvent | LeakEvent): Posting {
  const key = businessKey(event)
  const from =
    event.kind === 'leak'
      ? ({ kind: 'escrow_contract', of: chain.escrow } as const)
      : ({ kind: 'hot_wallet', of: chain.hotWallet } as const)
  return {
    key,
    kind: 'lost',
    orderId: null,
    asset: assetKey(chain),
    evidence: placeEvidence(event.place),
    legs: [
      { kind: from.kind, owner: { type: 'address', id: from.of.toLowerCase() }, amountMicros: event.amountMicros },
      { kind: 'loss', owner: eventOwner(key), amountMicros: -event.amountMicros },
    ],
  }
}

/**
 * Returns the posting for a booked event that a reorganisation removed: our holdings match the chain again,
 * and the missing amount is booked on an account named by the event until the event is mined again. For a
 * plain transfer, which was owed to no account, and for a withdrawal, whose account has its credit again,
 * posts the opposite: any transaction may withdraw that credit now. Undefined for an event that moved nothing
 * in or out.
 */
export async function vanishedPosting(
  tx: Tx,
  chain: ChainSettings,
  removal: Disappearance,
): Promise<Posting | undefined> {
  const legs = await lostLegs(tx, removal)
  return legs && counterPosting(chain, removal, 'vanished', legs)
}

/**
 * Returns the posting that reverses the loss when the same event is mined again. Undefined if no loss was
 * booked.
 */
export async function restoredPosting(
  tx: Tx,
  chain: ChainSettings,
  removal: Disappearance,
): Promise<Posting | undefined> {
  const legs = await lostLegs(tx, removal)
  const opposite = legs?.map((leg) => ({ ...leg, amountMicros: -leg.amountMicros }))
  return opposite && counterPosting(chain, removal, 'restored', opposite)
}

function eventOwner(key: string): Owner {
  return { type: 'event', id: key }
}

async function lostLegs(tx: Tx, { key, kind }: Disappearance): Promise<Leg[] | undefined> {
  const { rows } = await sql<Leg & { isHolding: boolean }>`
    select account.kind, jsonb_build_object('type', account.owner_type, 'id', account.owner_id) as owner,
      -entry.amount as "amountMicros", kind.normal_side = 'debit' and account.owner_type = 'address' as "isHolding"
    from ledger.transfers transfer
    join ledger.entries entry on entry.transfer_id = transfer.id
    join ledger.accounts account on account.id = entry.account_id
    join ledger.account_kinds kind on kind.kind = account.kind
    where transfer.key = ${key}
    order by account.kind desc, account.owner_id`.execute(tx)
  if (kind === 'transfer' || kind === 'withdrawn') return rows.length > 0 ? rows : undefined
  const holdings = rows.filter(({ isHolding }) => isHolding)
  if (holdings.length === 0) return undefined
  const heldMicros = holdings.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
  return [...holdings, { kind: 'loss', owner: eventOwner(key), amountMicros: -heldMicros }]
}

function counterPosting(
  chain: ChainSettings,
  { key, times }: Disappearance,
  kind: 'vanished' | 'restored',
  legs: readonly Leg[],
): Posting {
  return {
    key: `${kind}:${key}#${times}`,
    kind,
    orderId: null,
    asset: assetKey(chain),
    evidence: { fact: key, times },
    legs,
  }
}
