import { accountOf } from '../../actor.ts'
import type { Actor } from '../../context.ts'
import type { Db } from '../db/pool.ts'
import type { ApplicationServices } from '../http/serve/services.ts'
import { namesOrgTypes } from './subjects.ts'

/** Stands for all operators among the accounts that may see an event: the event is then the service's own. */
export const OPERATORS = '00000000-0000-0000-0000-000000000000'

type Account = Pick<Actor, 'humanId' | 'agentId'>

/**
 * Returns the accounts whose events a caller sees: an agent sees its own, a human also those of their agents
 * (`emit` adds the owners), an operator also the service's.
 */
export function visibleAccounts({ agentId, humanId, isOperator }: Actor): string[] {
  if (agentId !== null) return [agentId]
  return isOperator ? [humanId, OPERATORS] : [humanId]
}

/**
 * The caller's orgs and private spaces that some patterns concern: all if the patterns name a type of orgs,
 * else none.
 */
export async function askedPlaces(
  db: Db,
  { settings, findPlaces }: Pick<ApplicationServices, 'settings' | 'findPlaces'>,
  actor: Account,
  subjects: readonly string[],
): Promise<readonly string[]> {
  if (!namesOrgTypes(settings.eventTypes, subjects)) return []
  return (await findPlaces(db, [actor])).get(accountOf(actor)) ?? []
}
