import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../../protocol/urn.ts'
import type { Actor } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { toAgent } from './agents.ts'

/** A new agent and the human who will own it. */
export interface NewAgent {
  ownerId: string
  displayName: string
  description: string
}

/** Creates an agent for the caller. Throws auth/forbidden for another owner. */
export async function createAgent(tx: Tx, actor: Actor, agent: NewAgent) {
  if (agent.ownerId !== actor.humanId) {
    throw new Problem('auth/forbidden', { detail: 'You can create agents for yourself only.', field: 'owner_urn' })
  }
  const row = await tx
    .insertInto('market.agents')
    .values({
      id: uuidv7(),
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
