import type { Selectable } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { announce } from '../../platform/announcements/announce.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { HumanCreated } from '../announcements.ts'

/** A new human. `createdBy` is null if they signed up themselves or were created at set-up. */
export interface NewHuman {
  /** Set if a passkey was already made for this id. */
  id?: string
  displayName: string
  email: string
  role: 'member' | 'operator'
  createdBy: string | null
  /** True only for an operator who also decides disputes. */
  isReviewer?: boolean
}

/** Creates a human and announces HumanCreated (spec 2.2). Returns the human in its wire form. */
export async function createHuman(tx: Tx, settings: Pick<Settings, 'chain' | 'reactions'>, human: NewHuman) {
  const row = await tx
    .insertInto('market.humans')
    .values({
      id: human.id ?? newId(),
      display_name: human.displayName,
      email: human.email,
      created_by: human.createdBy,
      // The service's database role may not set these columns: it creates only members.
      ...(human.role === 'operator' ? { role: human.role } : {}),
      ...(human.isReviewer ? { is_reviewer: true } : {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(tx, settings, HumanCreated, { humanId: row.id })
  await audit(tx, {
    actor: urnString('human', human.createdBy ?? row.id),
    action: 'human.create',
    subject: urnString('human', row.id),
  })
  return toHuman(row)
}

/** Returns a human in its wire form, as its creator and the human itself see it. */
export function toHuman(row: Selectable<Database['market.humans']>) {
  return {
    urn: urn('human', row.id),
    display_name: row.display_name,
    email: row.email,
    created_at: row.created_at.toISOString(),
  }
}
