import { urn } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { sessionCookie } from '../authentication/credential.ts'
import type { NewSession } from '../sessions/open.ts'

/** Returns the response to a successful sign-in: the session, and its cookie. */
export function signedIn({ web, rules }: Pick<Settings, 'rules' | 'web'>, session: NewSession) {
  const { id, secret, humanId, expiresAt } = session
  return {
    body: { urn: urn('session', id), human_urn: urn('human', humanId), expires_at: expiresAt.toISOString() },
    headers: { 'Set-Cookie': sessionCookie(web, { secret, seconds: rules.sessionSeconds }) },
  }
}
