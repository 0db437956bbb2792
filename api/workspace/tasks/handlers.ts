import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { FetchRows } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import type { Member, TaskSeller } from '../membership.ts'
import { serveMember, serveReader } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import { findTask, listTaskRows, toTask, toTaskItems } from './find.ts'
import { claimTask } from './internal/claim.ts'
import { createTask } from './internal/create.ts'
import { offerTask, withdrawOffer } from './internal/offer.ts'
import { findTaskOfOrder } from './internal/sold.ts'
import type { TaskRow } from './internal/states.ts'
import * as steps from './internal/steps.ts'
import { setTaskFile, updateTask } from './internal/update.ts'
import * as routes from './routes.ts'

async function answer(tx: Tx, reader: Member | TaskSeller, task: TaskRow) {
  return { status: 200 as const, body: await toTask(tx, reader, task) }
}

export const taskHandlers = [
  serveMember(routes.createTask, async (tx, { member }, { body }) => ({
    status: 201,
    body: await toTask(tx, member, await createTask(tx, member, body)),
  })),

  serveMember(routes.listTasks, async (tx, { member }, { query, list }) => {
    const { space, state, archived, assignee, label, priority, due_by, order } = query
    const filter = {
      ...{ state, label, priority, isArchived: archived, dueBy: due_by },
      spaceId: space === undefined ? undefined : (await findSpace(tx, member, space)).id,
      assignee: assignee && urnString(assignee.kind, assignee.id),
    }
    const fetch: FetchRows<{ id: string; row: TaskRow }> = async (page) => {
      const found = await listTaskRows(tx, member, filter, { ...page, order })
      return found.map((row) => ({ id: order === 'newest' ? row.id : String(row.position), row }))
    }
    const { items: rows, next_cursor } = await list.read(fetch, ({ row }) => row)
    return { status: 200, body: { items: await toTaskItems(tx, member, rows), next_cursor } }
  }),

  serveReader(routes.getTask, async (tx, { reader }, { params }) =>
    answer(tx, reader, await findTask(tx, reader, params.ref)),
  ),

  serve(routes.getOrderTask, async (tx, { actor }, { params }) => {
    const { org, task, reader } = await findTaskOfOrder(tx, actor, params.urn)
    return { status: 200, body: { org, task: await toTask(tx, reader, task) } }
  }),

  serveMember(routes.updateTask, async (tx, { member }, { params, body }) =>
    answer(tx, member, await updateTask(tx, member, params.ref, body)),
  ),

  serveMember(routes.addTaskFile, async (tx, { member }, { params }) =>
    answer(tx, member, await setTaskFile(tx, member, { ...params, isOn: true })),
  ),

  serveMember(routes.removeTaskFile, async (tx, { member }, { params }) =>
    answer(tx, member, await setTaskFile(tx, member, { ...params, isOn: false })),
  ),

  serveMember(routes.claimTask, async (tx, { member, settings }, { params, body }) => {
    const claim = { ref: params.ref, leaseSeconds: body.lease_seconds }
    return answer(tx, member, await claimTask(tx, settings.rules, member, claim))
  }),

  serveMember(routes.releaseTask, async (tx, { member }, { params }) =>
    answer(tx, member, await steps.releaseTask(tx, member, params.ref)),
  ),

  serveMember(routes.submitTask, async (tx, { member }, { params, body }) =>
    answer(tx, member, await steps.submitTask(tx, member, params.ref, body.result)),
  ),

  serveMember(routes.approveTask, async (tx, { member }, { params }) =>
    answer(tx, member, await steps.approveTask(tx, member, params.ref)),
  ),

  serveMember(routes.rejectTask, async (tx, { member }, { params, body }) =>
    answer(tx, member, await steps.rejectTask(tx, member, params.ref, body.reason)),
  ),

  serveMember(routes.refileTask, async (tx, { member }, { params }) =>
    answer(tx, member, await steps.refileTask(tx, member, params.ref)),
  ),

  serveMember(routes.archiveTask, async (tx, { member }, { params }) =>
    answer(tx, member, await steps.archiveTask(tx, member, params.ref)),
  ),

  serveMember(routes.offerTask, async (tx, call, { params, body }) =>
    answer(tx, call.member, await offerTask(tx, call, params.ref, body)),
  ),

  serveMember(routes.withdrawOffer, async (tx, { member }, { params }) =>
    answer(tx, member, await withdrawOffer(tx, member, params.ref)),
  ),
]
