import { serveMember } from '../serveMember.ts'
import { addAgent } from './internal/add.ts'
import { changeAgent } from './internal/change.ts'
import { listAgentRows, toOrgAgent } from './internal/find.ts'
import { readKillSwitch, setKillSwitch } from './internal/killSwitch.ts'
import * as routes from './routes.ts'

export const orgAgentHandlers = [
  serveMember(routes.addAgent, async (tx, { member }, { body }) => ({
    status: 201,
    body: toOrgAgent(await addAgent(tx, member, body.agent_urn)),
  })),

  serveMember(routes.listAgents, async (tx, { member: { orgId } }, { list }) => ({
    status: 200,
    body: await list.read((page) => listAgentRows(tx, orgId, page), toOrgAgent),
  })),

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
