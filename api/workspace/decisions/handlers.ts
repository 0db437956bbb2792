import { readPage } from '../../platform/http/route/pagination.ts'
import { findPage } from '../pages/find.ts'
import { serveMember } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import { findTask } from '../tasks/find.ts'
import { recordDecision } from './create.ts'
import { findDecision, listDecisionRows, toDecision } from './find.ts'
import * as routes from './routes.ts'

export const decisionHandlers = [
  serveMember(routes.recordDecision, async (tx, { member }, { body }) => ({
    status: 201,
    body: toDecision(await recordDecision(tx, member, body)),
  })),

  serveMember(routes.listDecisions, async (tx, { actor, member, settings }, { query }) => {
    const { space, page, task, superseded } = query
    const filter = {
      spaceId: space === undefined ? undefined : (await findSpace(tx, member, space)).id,
      pageId: page === undefined ? undefined : (await findPage(tx, member, page)).id,
      taskId: task === undefined ? undefined : (await findTask(tx, member, task)).id,
      isSuperseded: superseded,
    }
    const bound = ['decisions', actor.humanId, member.orgId, JSON.stringify(filter)]
    const { rows, next_cursor } = await readPage(settings, bound, query, (part) =>
      listDecisionRows(tx, member, filter, part),
    )
    return { status: 200, body: { items: rows.map(toDecision), next_cursor } }
  }),

  serveMember(routes.getDecision, async (tx, { member }, { params }) => ({
    status: 200,
    body: toDecision(await findDecision(tx, member, params.ref)),
  })),
]
