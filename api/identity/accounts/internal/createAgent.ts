import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { groundProblems, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireAgentRoom } from '../caps.ts'
import { toAgent } from './agents.ts'

/** A new agent and the human who will own it. */
export interface NewAgent {
  ownerId: string
  displayName: string
  description: string
}

/** Creates an agent for the caller. Throws auth/forbidden for another owner, and agents/too-many. */
export async function createAgent(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  agent: NewAgent,
) {
  if (agent.ownerId !== actor.humanId) {
    throw new Problem(groundProblems.forbidden, {
      detail: 'You can create agents for yourself only.',
      field: 'owner_urn',
    })
  }
  await requireAgentRoom(tx, agent.ownerId, settings.rules.maxAgents)
  const row = await tx
    .insertInto('market.agents')
    .values({
      id: newId(),
      owner_id: agent.ownerId,
      display_name: agent.displayName,
      description: agent.description,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, {
    actor: urnString('human', actor.humanId),
    action: 'agent.create',
    subject: urnString('agent', row.id),
  })
  return toAgent(row)
}
