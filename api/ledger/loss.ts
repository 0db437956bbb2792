import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import { writeGathered } from '../db/gather.ts'
import type { Tx } from '../db/pool.ts'
import { businessKey, type LeakEvent, type OutflowEvent, placeEvidence } from '../escrow/evidence.ts'
import { assetKey } from './asset.ts'
import type { AccountKind, Leg, Posting } from './post.ts'

const ASSETS: readonly AccountKind[] = ['escrow_contract', 'hot_wallet', 'cold_wallet']

/** Which time a fact vanished, or came again. */
export interface Disappearance {
  key: string
  kind: string
  times: number
}

/** Tokens left us that nothing on the chain explains, and an operator has: what is owed stays what it is. */
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
      { kind: from.kind, owner: from.of.toLowerCase(), amountMicros: event.amountMicros },
      { kind: 'loss', owner: key, amountMicros: -event.amountMicros },
    ],
  }
}

/**
 * The chain took back a fact that was booked: what we hold is what the chain says again, and what is missing stands on an
 * account of its own, named by the fact, until it comes again. Of a plain transfer, which was owed to nobody, and of a
 * withdrawal, whose account has its credit again, the opposite is posted: any transaction may withdraw that now.
 * Undefined for a fact that had moved nothing in or out.
 */
export async function vanishedPosting(tx: Tx, chain: ChainSettings, fact: Disappearance): Promise<Posting | undefined> {
  const legs = await lostLegs(tx, fact)
  return legs && counterPosting(chain, fact, 'vanished', legs)
}

/** The same fact came again: its loss is made good. Undefined where none was booked. */
export async function restoredPosting(tx: Tx, chain: ChainSettings, fact: Disappearance): Promise<Posting | undefined> {
  const legs = await lostLegs(tx, fact)
  const opposite = legs?.map((leg) => ({ ...leg, amountMicros: -leg.amountMicros }))
  return opposite && counterPosting(chain, fact, 'restored', opposite)
}

async function lostLegs(tx: Tx, { key, kind }: Disappearance): Promise<Leg[] | undefined> {
  await writeGathered(tx)
  const { rows } = await sql<Leg>`
    select account.kind, account.owner, -entry.amount as "amountMicros"
    from ledger.transfers transfer
    join ledger.entries entry on entry.transfer_id = transfer.id
    join ledger.accounts account on account.id = entry.account_id
    where transfer.key = ${key}
    order by account.kind desc, account.owner`.execute(tx)
  if (kind === 'transfer' || kind === 'withdrawn') return rows.length > 0 ? rows : undefined
  const assets = rows.filter((leg) => ASSETS.includes(leg.kind))
  if (assets.length === 0) return undefined
  const heldMicros = assets.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
  return [...assets, { kind: 'loss', owner: key, amountMicros: -heldMicros }]
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
