import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { addAgent } from './add.ts'
import { changeAgent } from './change.ts'
import { listAgentRows, toOrgAgent } from './find.ts'
import { readKillSwitch, setKillSwitch } from './killSwitch.ts'
import * as routes from './routes.ts'

export const orgAgentHandlers = [
  serve(routes.addAgent, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toOrgAgent(await addAgent(tx, member, body.agent_urn)) }
  }),

  serve(routes.listAgents, async (tx, { actor, settings }, { params, query }) => {
    const { orgId } = await requireMember(tx, actor, params.org)
    const bound = ['org agents', actor.humanId, orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listAgentRows(tx, orgId, page))
    return { status: 200, body: { items: rows.map(toOrgAgent), next_cursor } }
  }),

  serve(routes.pauseAgent, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'pause')) }
  }),

  serve(routes.resumeAgent, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'resume')) }
  }),

  serve(routes.revokeAgent, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'revoke')) }
  }),

  serve(routes.getKillSwitch, async (tx, { actor }, { params }) => {
    const { orgId } = await requireMember(tx, actor, params.org)
    return { status: 200, body: await readKillSwitch(tx, orgId) }
  }),

  serve(routes.setKillSwitch, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await setKillSwitch(tx, member, body.engaged) }
  }),
]
