import { urn } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { sessionCookie } from '../http/credential.ts'
import { requireOwnOrigin } from '../http/origin.ts'
import type { NewSession } from '../sessions/open.ts'

/** Throws auth/origin-refused where a page of another site sends it: it could sign a browser in as somebody else. */
export function refuseOtherPages({ web }: Settings, header: (name: string) => string | undefined): void {
  const origin = header('Origin')
  if (origin !== undefined) requireOwnOrigin(web, origin)
}

/** What whoever has been let in is answered: the session, and its cookie. */
export function signedIn({ web, rules }: Settings, session: NewSession) {
  const { id, secret, humanId, expiresAt } = session
  return {
    body: { urn: urn('session', id), human_urn: urn('human', humanId), expires_at: expiresAt.toISOString() },
    headers: { 'Set-Cookie': sessionCookie(web, { secret, seconds: rules.sessionSeconds }) },
  }
}
