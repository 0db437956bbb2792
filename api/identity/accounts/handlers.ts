import { serve } from '../../platform/http/serve/serve.ts'
import { createHuman as addHuman } from './createHuman.ts'
import { listAgentRows, readPublicAgent, toAgent } from './internal/agents.ts'
import { changeHuman, changeAgent as editAgent } from './internal/changeProfile.ts'
import { createAgent as addAgent } from './internal/createAgent.ts'
import { deactivateAgent as deactivate } from './internal/deactivateAgent.ts'
import { listHumanRows, toKnownHuman } from './internal/humans.ts'
import { readCaller } from './internal/readCaller.ts'
import {
  changeAgent,
  changeMe,
  createAgent,
  createHuman,
  deactivateAgent,
  getAgent,
  getMe,
  listAgents,
  listHumans,
} from './routes.ts'

export const accountHandlers = [
  serve(createHuman, async (tx, { actor, settings }, { body }) => {
    const human = {
      displayName: body.display_name,
      email: body.email,
      role: 'member',
      createdBy: actor.humanId,
    } as const
    return { status: 201, body: await addHuman(tx, settings, human) }
  }),

  serve(listHumans, async (tx, _call, { query, list }) => {
    const { q } = query
    const { items: humans, next_cursor } = await list.read((page) => listHumanRows(tx, { q, ...page }), toKnownHuman)
    return { status: 200, body: { humans, next_cursor } }
  }),

  serve(createAgent, async (tx, call, { body }) => {
    const agent = { ownerId: body.owner_urn, displayName: body.display_name, description: body.description }
    return { status: 201, body: await addAgent(tx, call, agent) }
  }),

  serve(listAgents, async (tx, { actor }, { list }) => {
    const { items: agents, next_cursor } = await list.read((page) => listAgentRows(tx, actor.humanId, page), toAgent)
    return { status: 200, body: { agents, next_cursor } }
  }),

  serve(getAgent, async (tx, _call, { params }) => ({ status: 200, body: await readPublicAgent(tx, params.urn) })),

  serve(deactivateAgent, async (tx, call, { params }) => ({
    status: 200,
    body: toAgent(await deactivate(tx, call, params.urn)),
  })),

  serve(changeAgent, async (tx, { actor }, { params, body }) => {
    const changes = { displayName: body.display_name ?? null, description: body.description ?? null }
    return { status: 200, body: toAgent(await editAgent(tx, actor, params.urn, changes)) }
  }),

  serve(getMe, async (tx, { actor }) => ({ status: 200, body: await readCaller(tx, actor) })),

  serve(changeMe, async (tx, { actor }, { body }) => ({
    status: 200,
    body: await changeHuman(tx, actor, { displayName: body.display_name ?? null, email: body.email ?? null }),
  })),
]
