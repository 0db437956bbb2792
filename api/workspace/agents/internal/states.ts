import type { OrgAgentState } from '../../../platform/db/generated/tables.ts'
import type { Transition } from '../../../platform/db/lifecycle.ts'
import type { agentEvents } from '../module.ts'

interface LoggedTransition extends Transition<OrgAgentState> {
  event: keyof typeof agentEvents
}

/**
 * The states of an agent in an org, as data. A revoked agent never comes back: another agent takes its place.
 */
export const agentTransitions = {
  pause: { from: ['active'], to: 'paused', event: 'agent.paused' },
  resume: { from: ['paused'], to: 'active', event: 'agent.resumed' },
  revoke: { from: ['active', 'paused'], to: 'revoked', event: 'agent.revoked' },
} as const satisfies Record<string, LoggedTransition>

export type AgentTransition = keyof typeof agentTransitions
