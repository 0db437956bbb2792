import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, timestampText, urnObject, urnParam, urnSchema } from '../../platform/http/route/schemas.ts'
import { orgParam, pageOf, readsWorkspace } from '../schemas.ts'

const manages = { scope: 'manage', as: 'human' } as const
const params = z.object({ org: orgParam })
const agentParams = z.object({ org: orgParam, agent_urn: urnParam('agent') })

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

export const addAgent = defineRoute({
  operationId: 'addOrgAgent',
  method: 'post',
  path: '/orgs/{org}/agents',
  group: { name: 'agents' },
  summary: 'Make an agent of yours a member of an org',
  isWorkspace: true,
  access: manages,
  params,
  body: z.object({ agent_urn: urnSchema('agent') }),
  answers: { 201: { description: 'The agent.', schema: orgAgent } },
  problems: ['workspace/agent-exists'],
})

export const listAgents = defineRoute({
  operationId: 'listOrgAgents',
  method: 'get',
  path: '/orgs/{org}/agents',
  summary: 'List the agents that are members of an org, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of agents.', schema: pageOf(orgAgent) } },
})

export const pauseAgent = defineRoute({
  operationId: 'pauseOrgAgent',
  method: 'post',
  path: '/orgs/{org}/agents/{agent_urn}/pause',
  summary: 'Shut an agent out of an org until it is resumed',
  isWorkspace: true,
  access: manages,
  params: agentParams,
  answers,
  problems: ['workspace/agent-state-conflict'],
})

export const resumeAgent = defineRoute({
  operationId: 'resumeOrgAgent',
  method: 'post',
  path: '/orgs/{org}/agents/{agent_urn}/resume',
  summary: 'Let a paused agent into an org again',
  isWorkspace: true,
  access: manages,
  params: agentParams,
  answers,
  problems: ['workspace/agent-state-conflict'],
})

export const revokeAgent = defineRoute({
  operationId: 'revokeOrgAgent',
  method: 'post',
  path: '/orgs/{org}/agents/{agent_urn}/revoke',
  summary: 'Shut an agent out of an org for good; its tokens are its owner’s to revoke',
  isWorkspace: true,
  access: manages,
  params: agentParams,
  answers,
  problems: ['workspace/agent-state-conflict'],
})

export const getKillSwitch = defineRoute({
  operationId: 'getKillSwitch',
  method: 'get',
  path: '/orgs/{org}/kill-switch',
  group: { name: 'kill-switch', about: 'Workspace: shutting every agent out of an org.' },
  summary: 'Read whether all agents are shut out of an org',
  isWorkspace: true,
  access: { scope: 'read', as: 'human' },
  params,
  answers: { 200: { description: 'How it stands.', schema: killSwitch } },
})

export const setKillSwitch = defineRoute({
  operationId: 'setKillSwitch',
  method: 'put',
  path: '/orgs/{org}/kill-switch',
  summary: 'Shut every agent out of an org that you own or administer, or let all in again',
  isWorkspace: true,
  access: manages,
  params,
  body: z.object({ engaged: z.boolean() }),
  answers: { 200: { description: 'How it stands.', schema: killSwitch } },
})
