import type { ProblemTypes } from '../../errors.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const agentEvents = defineOrgEvents({
  'agent.created': 'A member made an agent a member of the org.',
  'agent.paused': 'An agent may do nothing in the org until it is resumed.',
  'agent.resumed': 'A paused agent is in the org again.',
  'agent.revoked': 'An agent is out of the org for good.',
  'agent.kill_switch': 'No agent may do anything in the org (data.engaged), or all may again.',
})

export const orgAgentProblems = {
  'workspace/agent-shut-out': { status: 403, title: 'The org has shut this agent out' },
  'workspace/agent-state-conflict': { status: 409, title: 'The agent is not in a state that allows this' },
  'workspace/agent-exists': { status: 409, title: 'The agent is a member already' },
} as const satisfies ProblemTypes
