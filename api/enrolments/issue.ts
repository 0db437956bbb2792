import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { urn, urnString } from '../../protocol/urn.ts'
import type { Actor, CallContext } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import { hashSecret } from '../http/credential.ts'

const SECRET_BYTES = 32

/** A human as far as it matters for who may let them in. */
interface Newcomer {
  role: 'member' | 'operator'
  created_by: string | null
  has_passkey: boolean
  /** Nothing has ever let them in: no passkey, flagged ones included, and no token. */
  is_new: boolean
}

/**
 * Makes an enrolment by which a human gets a passkey, and keeps its hash alone; an earlier one is good no more. Throws 404
 * to whoever may not know of them, auth/forbidden for an operator, whom no call lets in, and enrolments/not-needed while a
 * passkey lets them in.
 */
export async function issueEnrolment(tx: Tx, { actor, settings }: CallContext, humanId: string) {
  await requireEnrollable(actor, await lockNewcomer(tx, humanId))
  await sql`update market.enrolments set closed_at = market.now()
    where human_id = ${humanId} and closed_at is null`.execute(tx)
  const enrolment = `market_enrolment_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const { id, expires_at: expiresAt } = await tx
    .insertInto('market.enrolments')
    .values({
      id: uuidv7(),
      human_id: humanId,
      secret_hash: hashSecret(enrolment),
      issued_by: actor.humanId,
      expires_at: sql<Date>`market.now() + make_interval(secs => ${settings.rules.ticketSeconds})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  await audit(tx, {
    actor: urnString('human', actor.humanId),
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

// Locked against the enrolment that may be used, and the erasure that may run, at this moment.
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
    throw new Problem('auth/forbidden', { detail: 'No call lets anybody in as an operator: the database does.' })
  }
  if (!human.has_passkey) return
  throw new Problem('enrolments/not-needed', {
    detail: 'This human has a passkey that lets them in, and adds others with it.',
  })
}
