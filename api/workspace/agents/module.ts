import type { Module } from '../../module.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { orgAgentProblems } from './problems.ts'

export const agentEvents = defineOrgEvents({
  'agent.created': 'A member added an agent to the org.',
  'agent.paused': 'An agent was paused in the org.',
  'agent.resumed': 'A paused agent was resumed.',
  'agent.revoked': 'An agent was removed from the org for good.',
  'agent.kill_switch': 'All agents were shut out of the org (data.engaged), or let in again.',
})

/** What the service knows through this folder. */
export const orgAgents = { events: agentEvents, problems: orgAgentProblems } satisfies Module
