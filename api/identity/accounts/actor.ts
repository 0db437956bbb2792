import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'

/** Returns the URN that audit entries name as the actor. */
export function actorUrn({ agentId, humanId }: Actor): string {
  return agentId ? urnString('agent', agentId) : urnString('human', humanId)
}
