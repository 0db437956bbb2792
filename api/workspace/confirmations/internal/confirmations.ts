import { type Selectable, sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import type { Member } from '../../membership.ts'
import { notify } from '../../notifications/notify.ts'
import { findSecret } from '../../secrets/find.ts'
import { confirmationNotices } from '../module.ts'
import { confirmationProblems } from '../problems.ts'

/** A question as it is stored. */
export interface ConfirmationRow extends Selectable<Database['market.confirmations']> {
  is_over: boolean
}

/**
 * An agent asks its human in an org a question, such as whether a secret may be revealed to it. The human is
 * notified until they answer, or the question expires. Returns the question. Throws 404 for a secret that the
 * agent does not see.
 */
export async function ask(
  tx: Tx,
  member: Member,
  { question, seconds, secret }: { question: string; seconds: number; secret: string | undefined },
): Promise<ConfirmationRow> {
  const { orgId, accountId, humanId } = member
  const id = newId()
  const secretId = secret === undefined ? null : (await findSecret(tx, member, secret)).id
  await tx
    .insertInto('market.confirmations')
    .values({
      ...{ id, org_id: orgId, agent_id: accountId, human_id: humanId, question, secret_id: secretId },
      expires_at: sql<Date>`market.now() + make_interval(secs => ${seconds})`,
    })
    .execute()
  await notify(tx, {
    ...{ kind: confirmationNotices['confirmation.requested'], orgId, by: member, spaceId: null, confirmationId: id },
    recipients: [humanId],
    entity: { type: 'confirmation', id, short_id: null },
  })
  await tell(tx, member, 'confirmation.ask', { confirmation_id: id })
  return find(tx, member, id)
}

/** Returns a question that the caller asked or is asked. Throws the uniform 404. */
export async function find(tx: Tx, member: Member, id: string): Promise<ConfirmationRow> {
  return select(tx, member)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('confirmation'))
}

/** The states of a question. It is pending until it is answered, or its time is over. */
export type ConfirmationState = 'pending' | 'confirmed' | 'declined' | 'expired'

/**
 * Lists the questions that the caller asked, as an agent, or is asked, newest first, starting below an id.
 */
export async function listConfirmationRows(
  tx: Tx,
  member: Member,
  state: ConfirmationState | undefined,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ConfirmationRow[]> {
  let query = select(tx, member)
  if (state === 'confirmed' || state === 'declined') query = query.where('answer', '=', state)
  else if (state !== undefined) {
    query = query
      .where('answer', 'is', null)
      .where('expires_at', state === 'pending' ? '>' : '<=', sql<Date>`market.now()`)
  }
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

function select(tx: Tx, { orgId, accountId }: Member) {
  return tx
    .selectFrom('market.confirmations')
    .selectAll()
    .select(sql<boolean>`expires_at <= market.now()`.as('is_over'))
    .where('org_id', '=', orgId)
    .where((is) => is.or([is('agent_id', '=', accountId), is('human_id', '=', accountId)]))
}

/**
 * Answers a question, as the human who is asked. Throws 404, 403 for an agent, and 409 for a question that
 * was answered or has expired.
 */
export async function answerQuestion(
  tx: Tx,
  member: Member,
  { agentId }: Actor,
  id: string,
  answer: 'confirmed' | 'declined',
): Promise<ConfirmationRow> {
  await find(tx, member, id)
  if (agentId !== null) {
    throw new Problem(attachmentProblems.humansOnly, {
      detail: 'Only the human who was asked can answer, and no agent for them.',
    })
  }
  const { numUpdatedRows } = await tx
    .updateTable('market.confirmations')
    .set({ answer, answered_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('answer', 'is', null)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    throw new Problem(confirmationProblems.confirmationClosed, {
      detail: 'This question was answered before, or its time is over.',
    })
  }
  await tell(tx, member, 'confirmation.answer', { confirmation_id: id, answer })
  return find(tx, member, id)
}

async function tell(tx: Tx, { orgId, urn: actor }: Member, action: string, details: Record<string, string>) {
  await audit(tx, { actor, action, subject: urnString('org', orgId), details })
}

/** Returns a question in its wire form. */
export function toConfirmation({ id, question, agent_id, answer, is_over, secret_id, ...row }: ConfirmationRow) {
  return {
    ...{ id, question, secret_id },
    asked_by: urnString('agent', agent_id),
    state: answer ?? (is_over ? ('expired' as const) : ('pending' as const)),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
  }
}
