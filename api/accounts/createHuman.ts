import { v7 as uuidv7 } from 'uuid'
import { urn, urnString } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'
import { openPayable } from '../ledger/balances.ts'

/** A new human. Without a creator they signed up by themselves, or set-up made them. */
export interface NewHuman {
  /** Where it was promised before: a passkey holds it. */
  id?: string
  displayName: string
  email: string
  role: 'member' | 'operator'
  createdBy: string | null
}

/** Creates a human and the ledger account that what they are owed will stand on (spec 2.2). */
export async function createHuman(tx: Tx, chain: ChainSettings, human: NewHuman) {
  const row = await tx
    .insertInto('market.humans')
    .values({
      id: human.id ?? uuidv7(),
      display_name: human.displayName,
      email: human.email,
      role: human.role,
      created_by: human.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await openPayable(tx, assetKey(chain), urnString('human', row.id))
  await audit(tx, {
    actor: urnString('human', human.createdBy ?? row.id),
    action: 'human.create',
    subject: urnString('human', row.id),
  })
  return {
    urn: urn('human', row.id),
    display_name: row.display_name,
    email: row.email,
    created_at: row.created_at.toISOString(),
  }
}
