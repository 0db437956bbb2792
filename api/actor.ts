import { urnString } from '../protocol/encoding/urn.ts'
import type { Actor } from './context.ts'

/** What of an actor says for which account it acts. */
export type Acting = Pick<Actor, 'agentId' | 'humanId'>

/** Returns the id of the account that acts: the agent, or the human who calls for itself. */
export function accountOf({ agentId, humanId }: Acting): string {
  return agentId ?? humanId
}

/** Returns form B of that account's URN: what it makes is created by it, and audit entries name it as the actor. */
export function accountUrn({ agentId, humanId }: Acting): string {
  return agentId === null ? urnString('human', humanId) : urnString('agent', agentId)
}

/** Returns the column that, compared with `accountOf`, selects what is an agent's, or what is a human's and all their agents'. */
export function accountColumn({ agentId }: Acting): 'agent_id' | 'human_id' {
  return agentId === null ? 'human_id' : 'agent_id'
}
