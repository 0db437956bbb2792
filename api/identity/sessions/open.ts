import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { hashSecret } from '../authentication/credential.ts'

const SECRET_BYTES = 32

/** A new session. Its secret belongs only in the browser's cookie. */
export interface NewSession {
  id: string
  secret: string
  humanId: string
  expiresAt: Date
}

/**
 * Begins a session for a human after a passkey sign-in, and ends the browser's previous session. The secret
 * is always new, so a cookie that another page set beforehand gains nothing.
 */
export async function openSession(
  tx: Tx,
  { rules }: Pick<Settings, 'rules'>,
  { humanId, passkeyId, formerSecret }: { humanId: string; passkeyId: string; formerSecret: string | undefined },
): Promise<NewSession> {
  if (formerSecret !== undefined) {
    await sql`update market.sessions set revoked_at = market.now()
      where secret_hash = ${hashSecret(formerSecret)} and revoked_at is null`.execute(tx)
  }
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const { id, expires_at: expiresAt } = await tx
    .insertInto('market.sessions')
    .values({
      id: newId(),
      human_id: humanId,
      passkey_id: passkeyId,
      secret_hash: hashSecret(secret),
      expires_at: sql<Date>`market.now() + make_interval(secs => ${rules.sessionSeconds})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  const details = { passkey: urnString('passkey', passkeyId) }
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'session.begin', subject: urnString('session', id), details })
  return { id, secret, humanId, expiresAt }
}
