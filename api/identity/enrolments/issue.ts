import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../protocol/encoding/urn.ts'
import type { Actor, CallContext } from '../../context.ts'
import { groundProblems, notFound, Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { hashSecret } from '../authentication/credential.ts'
import { enrolmentProblems } from './problems.ts'

const SECRET_BYTES = 32

/** The human's state that decides who may issue an enrolment for them. */
interface Newcomer {
  role: 'member' | 'operator'
  created_by: string | null
  has_passkey: boolean
  /** The human has never had a passkey (flagged ones included) or a token. */
  is_new: boolean
}

/**
 * Creates an enrolment with which a human registers a passkey, and stores only its hash; an earlier enrolment
 * becomes invalid. Throws 404 if the caller may not see the human, auth/forbidden for an operator, who cannot
 * be enrolled by a call, and enrolments/not-needed while the human has a usable passkey.
 */
export async function issueEnrolment(tx: Tx, { actor, settings }: CallContext, humanId: string) {
  await requireEnrollable(actor, await lockNewcomer(tx, humanId))
  return createEnrolment(tx, { humanId, issuedBy: actor.humanId, validSeconds: settings.rules.ticketSeconds })
}

/** Creates an enrolment for a human without checking who asks; an earlier enrolment becomes invalid. */
export async function createEnrolment(
  tx: Tx,
  { humanId, issuedBy, validSeconds }: { humanId: string; issuedBy: string; validSeconds: number },
) {
  await sql`update market.enrolments set closed_at = market.now()
    where human_id = ${humanId} and closed_at is null`.execute(tx)
  const enrolment = `market_enrolment_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const { id, expires_at: expiresAt } = await tx
    .insertInto('market.enrolments')
    .values({
      id: newId(),
      human_id: humanId,
      secret_hash: hashSecret(enrolment),
      issued_by: issuedBy,
      expires_at: sql<Date>`market.now() + make_interval(secs => ${validSeconds})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  await audit(tx, {
    actor: urnString('human', issuedBy),
    action: 'enrolment.issue',
    subject: urnString('human', humanId),
    details: { enrolment: urnString('enrolment', id) },
  })
  return {
    urn: urn('enrolment', id),
    human_urn: urn('human', humanId),
    enrolment,
    expires_at: expiresAt.toISOString(),
  }
}

// Locks the human, because an enrolment may be used or an erasure may run at the same time.
async function lockNewcomer(tx: Tx, humanId: string): Promise<Newcomer> {
  const { rows } = await sql<Newcomer>`
    select role, created_by,
      exists (select from market.passkeys where human_id = ${humanId} and flagged_at is null) as has_passkey,
      not exists (select from market.passkeys where human_id = ${humanId})
        and not exists (select from market.tokens where human_id = ${humanId}) as is_new
    from market.humans where id = ${humanId} and erased_at is null for no key update`.execute(tx)
  const [human] = rows
  if (human) return human
  throw notFound('human')
}

async function requireEnrollable(actor: Actor, human: Newcomer): Promise<void> {
  const isOwnNewcomer = human.created_by === actor.humanId && human.is_new
  if (!actor.isOperator && !isOwnNewcomer) throw notFound('human')
  if (human.role === 'operator') {
    throw new Problem(groundProblems.forbidden, {
      detail: 'No call gives an operator an enrolment. The owner of the database makes operators.',
    })
  }
  if (!human.has_passkey) return
  throw new Problem(enrolmentProblems.notNeeded, {
    detail: 'This human has a usable passkey, and can add others with it.',
  })
}
