import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../context.ts'

/**
 * The tokens that a call may replace or revoke: its own; with the scope `manage`, those of its account, and
 * for a human those of their agents.
 */
export function reach({ tokenId, agentId, humanId, scopes }: Actor): RawBuilder<boolean> {
  if (!scopes.includes('manage')) return sql<boolean>`id = ${tokenId}`
  return agentId ? sql<boolean>`agent_id = ${agentId}` : sql<boolean>`human_id = ${humanId}`
}
