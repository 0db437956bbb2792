import { urnString } from '../protocol/encoding/urn.ts'
import type { Actor } from './context.ts'

/** The members of an actor that tell which account it acts for. */
export type Acting = Pick<Actor, 'agentId' | 'humanId'>

/** Returns the id of the account that acts: the agent, or the human who calls for itself. */
export function accountOf({ agentId, humanId }: Acting): string {
  return agentId ?? humanId
}

/** Returns form B of that account's URN: the `created_by` of its objects, and the actor in audit entries. */
export function accountUrn({ agentId, humanId }: Acting): string {
  return agentId === null ? urnString('human', humanId) : urnString('agent', agentId)
}

/**
 * Returns the column to compare with `accountOf`, to select the rows of an agent, or of a human and all their
 * agents.
 */
export function accountColumn({ agentId }: Acting): 'agent_id' | 'human_id' {
  return agentId === null ? 'human_id' : 'agent_id'
}
