import type { Actor } from '../../context.ts'
import type { Db } from '../db/pool.ts'
import { namesWorkspace } from './subjects.ts'

/** Stands for all operators among the accounts that may see an event: it is then the service's own. */
export const OPERATORS = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the accounts whose events a caller sees: an agent its own, a human those of their agents too (`emit` adds the
 * owners), an operator also the service's.
 */
export function visibleAccounts({ agentId, humanId, isOperator }: Actor): string[] {
  if (agentId !== null) return [agentId]
  return isOperator ? [humanId, OPERATORS] : [humanId]
}

/** The orgs of a human that some patterns ask about: all where they name a type of the workspace, else none. */
export async function askedOrgs(db: Db, { humanId }: Actor, subjects: readonly string[]): Promise<string[]> {
  if (!namesWorkspace(subjects)) return []
  return (await orgsOf(db, [humanId])).get(humanId) ?? []
}

/** Returns the orgs that humans are in, in a fixed order. Whoever is in none is left out. */
export async function orgsOf(db: Db, humanIds: readonly string[]): Promise<Map<string, string[]>> {
  if (humanIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('market.org_members')
    .select(['human_id', 'org_id'])
    .where('human_id', 'in', humanIds)
    .orderBy('org_id')
    .execute()
  const byHuman = Map.groupBy(rows, ({ human_id }) => human_id)
  return new Map([...byHuman].map(([humanId, own]) => [humanId, own.map(({ org_id }) => org_id)]))
}
