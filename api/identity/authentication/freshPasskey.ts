import type { CallContext } from '../../context.ts'
import { groundProblems, Problem } from '../../errors.ts'

/**
 * Throws re_auth_required unless the caller signed in with a passkey within rules.freshPasskeySeconds. It
 * protects actions that a stolen token or an unattended browser must not take. A sandbox does not check.
 */
export function requireFreshPasskey(
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  what: { act: string; field?: string },
): void {
  if (settings.sandbox || actor.session?.isFresh) return
  const minutes = Math.floor(settings.rules.freshPasskeySeconds / 60)
  const { act, field } = what
  throw new Problem(groundProblems.reAuthRequired, {
    detail: `${act} needs a sign-in by passkey in the last ${minutes} minutes. Sign in again.`,
    ...(field === undefined ? {} : { field }),
  })
}

/**
 * Throws re_auth_required for a token. It protects decisions that a person must make, not a program in their
 * name. A sandbox does not check.
 */
export function requireSession({ actor, settings }: Pick<CallContext, 'actor' | 'settings'>, act: string): void {
  if (settings.sandbox || actor.session) return
  throw new Problem(groundProblems.reAuthRequired, {
    detail: `${act} needs a session: sign in with a passkey. A token is not enough.`,
  })
}
