import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { toHuman } from '../createHuman.ts'
import type { AgentRow } from './agents.ts'

/**
 * Changes the caller's name and e-mail address where they are not null, and returns the human in its wire
 * form. A new address is unconfirmed: no mail is sent to it until its owner confirms it. Writes nothing if no
 * value changes.
 */
export async function changeHuman(
  tx: Tx,
  actor: Actor,
  { displayName, email }: { displayName: string | null; email: string | null },
) {
  const changed = await tx
    .updateTable('market.humans')
    .set({
      display_name: sql<string>`coalesce(${displayName}, display_name)`,
      email: sql<string>`coalesce(${email}, email)`,
      confirmed_email: sql<string | null>`case when email = coalesce(${email}, email) then confirmed_email end`,
    })
    .where('id', '=', actor.humanId)
    .where(sql<boolean>`(display_name <> ${displayName} or email <> ${email})`)
    .returningAll()
    .executeTakeFirst()
  if (changed) {
    const person = urnString('human', actor.humanId)
    const details = { display_name: displayName !== null, email: email !== null }
    await audit(tx, { actor: accountUrn(actor), action: 'human.change', subject: person, details })
  }
  const human = tx.selectFrom('market.humans').selectAll().where('id', '=', actor.humanId)
  return toHuman(changed ?? (await human.executeTakeFirstOrThrow()))
}

/**
 * Changes an agent's name and description where they are not null, for its owner or itself. Writes nothing if
 * no value changes. Throws the uniform 404 for any other agent.
 */
export async function changeAgent(
  tx: Tx,
  actor: Actor,
  agentId: string,
  { displayName, description }: { displayName: string | null; description: string | null },
): Promise<AgentRow> {
  if (actor.agentId !== null && actor.agentId !== agentId) throw notFound('agent')
  const changed = await tx
    .updateTable('market.agents')
    .set({
      display_name: sql<string>`coalesce(${displayName}, display_name)`,
      description: sql<string>`coalesce(${description}, description)`,
    })
    .where('id', '=', agentId)
    .where('owner_id', '=', actor.humanId)
    .where(sql<boolean>`(display_name <> ${displayName} or description <> ${description})`)
    .returningAll()
    .executeTakeFirst()
  if (changed) {
    const details = { display_name: displayName !== null, description: description !== null }
    await audit(tx, { actor: accountUrn(actor), action: 'agent.change', subject: urnString('agent', agentId), details })
    return changed
  }
  const agent = tx.selectFrom('market.agents').selectAll().where('id', '=', agentId)
  return agent.where('owner_id', '=', actor.humanId).executeTakeFirstOrThrow(() => notFound('agent'))
}
