import { findPage } from '../pages/find.ts'
import { serveMember } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import { findTask } from '../tasks/find.ts'
import { recordDecision } from './internal/create.ts'
import { findDecision, listDecisionRows, toDecision } from './internal/find.ts'
import * as routes from './routes.ts'

export const decisionHandlers = [
  serveMember(routes.recordDecision, async (tx, { member }, { body }) => ({
    status: 201,
    body: toDecision(await recordDecision(tx, member, body)),
  })),

  serveMember(routes.listDecisions, async (tx, { member }, { query, list }) => {
    const { space, page, task, superseded } = query
    const filter = {
      spaceId: space === undefined ? undefined : (await findSpace(tx, member, space)).id,
      pageId: page === undefined ? undefined : (await findPage(tx, member, page)).id,
      taskId: task === undefined ? undefined : (await findTask(tx, member, task)).id,
      isSuperseded: superseded,
    }
    return { status: 200, body: await list.read((part) => listDecisionRows(tx, member, filter, part), toDecision) }
  }),

  serveMember(routes.getDecision, async (tx, { member }, { params }) => ({
    status: 200,
    body: toDecision(await findDecision(tx, member, params.ref)),
  })),
]
