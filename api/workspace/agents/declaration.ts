import type { ProblemTypes } from '../../errors.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const agentEvents = defineOrgEvents({
  'agent.created': 'A member added an agent to the org.',
  'agent.paused': 'An agent was paused in the org.',
  'agent.resumed': 'A paused agent was resumed.',
  'agent.revoked': 'An agent was removed from the org for good.',
  'agent.kill_switch': 'All agents were shut out of the org (data.engaged), or let in again.',
})

export const orgAgentProblems = {
  'workspace/agent-shut-out': { status: 403, title: 'The org has shut this agent out' },
  'workspace/agent-state-conflict': { status: 409, title: 'The agent is not in a state that allows this' },
  'workspace/agent-exists': { status: 409, title: 'The agent is already a member' },
} as const satisfies ProblemTypes
