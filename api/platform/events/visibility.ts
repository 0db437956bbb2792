import type { Actor } from '../../context.ts'

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
