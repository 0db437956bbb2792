import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'

/** Who the audit log says did it. */
export function actorUrn({ agentId, humanId }: Actor): string {
  return agentId ? urnString('agent', agentId) : urnString('human', humanId)
}
