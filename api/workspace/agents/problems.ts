import type { ProblemTypes } from '../../errors.ts'

export const orgAgentProblems = {
  agentShutOut: { name: 'workspace/agent-shut-out', status: 403, title: 'The org has shut this agent out' },
  agentStateConflict: {
    name: 'workspace/agent-state-conflict',
    status: 409,
    title: 'The agent is not in a state that allows this',
  },
  agentExists: { name: 'workspace/agent-exists', status: 409, title: 'The agent is already a member' },
} as const satisfies ProblemTypes
