import { z } from '@hono/zod-openapi'
import { pageQuery, timestampText, urnObject, urnParam, urnSchema } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { pageOf, readsWorkspace } from '../schemas.ts'
import { orgAgentProblems } from './problems.ts'

const manages = { scope: 'manage', as: 'human' } as const
const agentParams = z.object({ agent_urn: urnParam('agent') })

const orgAgent = z
  .object({
    agent_urn: urnObject('agent'),
    owner_urn: urnObject('human'),
    display_name: z.string(),
    state: z.enum(['active', 'paused', 'revoked']),
    added_at: timestampText,
    changed_at: timestampText,
  })
  .openapi('OrgAgent')

const killSwitch = z.object({ engaged: z.boolean(), engaged_at: timestampText.nullable() }).openapi('KillSwitch')
const answers = { 200: { description: 'The agent.', schema: orgAgent } }

export const addAgent = orgRoute({
  operationId: 'addOrgAgent',
  method: 'post',
  path: '/agents',
  group: { name: 'agents' },
  summary: 'Make an agent of yours a member of an org',
  access: manages,
  body: z.object({ agent_urn: urnSchema('agent') }),
  answers: { 201: { description: 'The agent.', schema: orgAgent } },
  problems: [orgAgentProblems.agentExists],
})

export const listAgents = orgRoute({
  operationId: 'listOrgAgents',
  method: 'get',
  path: '/agents',
  summary: 'List the agents that are members of an org, newest first',
  access: readsWorkspace,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of agents.', schema: pageOf(orgAgent) } },
})

export const pauseAgent = orgRoute({
  operationId: 'pauseOrgAgent',
  method: 'post',
  path: '/agents/{agent_urn}/pause',
  summary: 'Shut an agent out of an org until it is resumed',
  access: manages,
  params: agentParams,
  answers,
  problems: [orgAgentProblems.agentStateConflict],
})

export const resumeAgent = orgRoute({
  operationId: 'resumeOrgAgent',
  method: 'post',
  path: '/agents/{agent_urn}/resume',
  summary: 'Let a paused agent into an org again',
  access: manages,
  params: agentParams,
  answers,
  problems: [orgAgentProblems.agentStateConflict],
})

export const revokeAgent = orgRoute({
  operationId: 'revokeOrgAgent',
  method: 'post',
  path: '/agents/{agent_urn}/revoke',
  summary: 'Shut an agent out of an org for good; its tokens are its owner’s to revoke',
  access: manages,
  params: agentParams,
  answers,
  problems: [orgAgentProblems.agentStateConflict],
})

export const getKillSwitch = orgRoute({
  operationId: 'getKillSwitch',
  method: 'get',
  path: '/kill-switch',
  group: { name: 'kill-switch', about: 'Workspace: shutting every agent out of an org.' },
  summary: 'Read whether all agents are shut out of an org',
  access: { scope: 'read', as: 'human' },
  answers: { 200: { description: 'How it stands.', schema: killSwitch } },
})

export const setKillSwitch = orgRoute({
  operationId: 'setKillSwitch',
  method: 'put',
  path: '/kill-switch',
  summary: 'Shut every agent out of an org that you own or administer, or let all in again',
  access: manages,
  body: z.object({ engaged: z.boolean() }),
  answers: { 200: { description: 'How it stands.', schema: killSwitch } },
})
