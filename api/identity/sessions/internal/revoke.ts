import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** Ends a session of the caller. Throws 404 for a session of another human, and for one that has ended. */
export async function revokeSession(tx: Tx, { humanId }: Actor, sessionId: string): Promise<void> {
  await tx
    .updateTable('market.sessions')
    .set({ revoked_at: sql`market.now()` })
    .where('id', '=', sessionId)
    .where('human_id', '=', humanId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('session'))
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'session.end', subject: urnString('session', sessionId) })
}

/** Ends the session that the call presents. Throws auth/forbidden for a call with a token. */
export async function logOut(tx: Tx, actor: Actor): Promise<void> {
  if (actor.session) return revokeSession(tx, actor, actor.tokenId)
  throw new Problem(groundProblems.forbidden, {
    detail: 'This call ends the session of a browser. Revoke a token instead.',
  })
}
