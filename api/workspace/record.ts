import { urnString } from '../../protocol/urn.ts'
import { audit } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/db/pool.ts'
import { emit } from '../platform/events/emit.ts'
import type { workspaceTypes } from '../platform/events/workspaceTypes.ts'
import type { Member } from './membership.ts'

type WorkspaceEvent = keyof typeof workspaceTypes

/** A change in the workspace: its event's type (workspace spec 6.1), and what it happened to. */
export interface Change {
  type: WorkspaceEvent
  entity: { id: string; short_id: string }
  spaceId: string
  /** Ids, states and numbers: no text that a person wrote. */
  data?: Record<string, unknown>
}

/**
 * Writes the event and the audit entry of a change, in its transaction. The event is visible to the org: readers of the
 * log ask for the orgs that they are in. `by` is null where the service acts.
 */
export async function record(
  tx: Tx,
  orgId: string,
  by: Pick<Member, 'accountId' | 'urn' | 'via'> | null,
  change: Change,
): Promise<void> {
  const { type, entity, spaceId, data = {} } = change
  const entityType = type.slice(0, type.indexOf('.'))
  await emit(tx, {
    type,
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
    visibleTo: [orgId],
  })
  await audit(tx, {
    actor: by?.urn ?? 'service',
    action: type,
    subject: urnString('org', orgId),
    details: { [`${entityType}_id`]: entity.id, ...data },
  })
}
