import type { Settings } from '../../../context.ts'
import { entityPath } from '../../schemas.ts'

/**
 * The part of an event that a delivery stores: of an event in the log, by the trigger market.queue_webhooks,
 * or of a test.
 */
interface KeptEvent {
  event_id: string
  event_type: string
  org: string
  created_at: string
  payload: {
    entity_type: string
    entity_id: string
    short_id?: string | null
    space_id?: string | null
    actor_id?: string | null
    via: string
    data: Record<string, unknown>
  }
}

/**
 * Returns the request body of a delivery (workspace spec 6.2). Members that do not apply to the event are
 * absent.
 */
export function requestBody(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  { id, body }: { id: string; body: string },
): string {
  const { event_id, event_type: type, org, created_at, payload }: KeptEvent = JSON.parse(body)
  const { entity_type, entity_id, short_id, space_id, actor_id, via, data } = payload
  const entity = { ...placeOf(data), type: entity_type, id: entity_id, short_id: short_id ?? null }
  return JSON.stringify({
    ...{ id, event_id, type, org, entity_type, entity_id },
    ...(short_id ? { short_id } : {}),
    url: baseUrl + entityPath(org, entity),
    ...(space_id ? { space_id } : {}),
    ...(actor_id ? { actor_id } : {}),
    ...{ via, data, created_at },
  })
}

function placeOf({ page_id, task_id }: Record<string, unknown>) {
  return {
    page_id: typeof page_id === 'string' ? page_id : null,
    task_id: typeof task_id === 'string' ? task_id : null,
  }
}
