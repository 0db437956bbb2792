import { readPage } from '../../platform/http/route/pagination.ts'
import { serveMember } from '../serveMember.ts'
import { addAgent } from './add.ts'
import { changeAgent } from './change.ts'
import { listAgentRows, toOrgAgent } from './find.ts'
import { readKillSwitch, setKillSwitch } from './killSwitch.ts'
import * as routes from './routes.ts'

export const orgAgentHandlers = [
  serveMember(routes.addAgent, async (tx, { member }, { body }) => ({
    status: 201,
    body: toOrgAgent(await addAgent(tx, member, body.agent_urn)),
  })),

  serveMember(routes.listAgents, async (tx, { actor, member: { orgId }, settings }, { query }) => {
    const bound = ['org agents', actor.humanId, orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listAgentRows(tx, orgId, page))
    return { status: 200, body: { items: rows.map(toOrgAgent), next_cursor } }
  }),

  serveMember(routes.pauseAgent, async (tx, { member }, { params }) => ({
    status: 200,
    body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'pause')),
  })),

  serveMember(routes.resumeAgent, async (tx, { member }, { params }) => ({
    status: 200,
    body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'resume')),
  })),

  serveMember(routes.revokeAgent, async (tx, { member }, { params }) => ({
    status: 200,
    body: toOrgAgent(await changeAgent(tx, member, params.agent_urn, 'revoke')),
  })),

  serveMember(routes.getKillSwitch, async (tx, { member: { orgId } }) => ({
    status: 200,
    body: await readKillSwitch(tx, orgId),
  })),

  serveMember(routes.setKillSwitch, async (tx, { member }, { body }) => ({
    status: 200,
    body: await setKillSwitch(tx, member, body.engaged),
  })),
]
