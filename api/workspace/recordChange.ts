import { urnString } from '../../protocol/encoding/urn.ts'
import { audit } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/db/pool.ts'
import { emit } from '../platform/events/emit.ts'
import type { Caller } from './membership.ts'
import type { OrgEvent } from './orgEvents.ts'

/** A change in the workspace: the type of its event, and the thing that changed. */
export interface Change {
  type: OrgEvent
  entity: { id: string; short_id: string | null }
  /** The entity's type, where the domain of the event's type does not name it. */
  entityType?: string
  /** Null for a thing that is in no space. */
  spaceId: string | null
  /** Ids, states and numbers: no text that a person wrote. */
  data?: Record<string, unknown>
}

/**
 * Writes the event and the audit entry of a change, in its transaction. The event is visible to the org, or,
 * if it happened in a private space, to those who see that space: readers of the log ask for the orgs and
 * private spaces that they see. `by` is null if the service acts.
 */
export async function recordChange(tx: Tx, orgId: string, by: Caller | null, change: Change): Promise<void> {
  const { type, entity, spaceId, data = {} } = change
  const entityType = change.entityType ?? type.name.slice(0, type.name.indexOf('.'))
  await emit(tx, type, {
    payload: {
      org_id: orgId,
      entity_type: entityType,
      entity_id: entity.id,
      short_id: entity.short_id,
      space_id: spaceId,
      actor_id: by?.accountId ?? null,
      via: by?.via ?? 'service',
      data,
    },
    visibleTo: [(await privateSpace(tx, spaceId)) ?? orgId],
  })
  await audit(tx, {
    actor: by?.urn ?? 'service',
    action: type.name,
    subject: urnString('org', orgId),
    details: { [`${entityType}_id`]: entity.id, ...data },
  })
}

async function privateSpace(tx: Tx, spaceId: string | null): Promise<string | null> {
  if (spaceId === null) return null
  const space = await tx
    .selectFrom('market.spaces')
    .select('id')
    .where('id', '=', spaceId)
    .where('visibility', '=', 'private')
    .executeTakeFirst()
  return space?.id ?? null
}
