import type { Tx } from '../../platform/db/pool.ts'
import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { type Member, requireMember, type TaskSeller } from '../membership.ts'
import { requireReader } from '../readers.ts'
import { findSpace } from '../spaces/find.ts'
import { claimTask } from './claim.ts'
import { createTask } from './create.ts'
import { findTask, listTaskRows, type TaskRow, toTask, toTaskItems } from './find.ts'
import { offerTask, withdrawOffer } from './offer.ts'
import * as routes from './routes.ts'
import { findTaskOfOrder } from './sold.ts'
import * as steps from './steps.ts'
import { setTaskFile, updateTask } from './update.ts'

async function answer(tx: Tx, reader: Member | TaskSeller, task: TaskRow) {
  return { status: 200 as const, body: await toTask(tx, reader, task) }
}

export const taskHandlers = [
  serve(routes.createTask, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: await toTask(tx, member, await createTask(tx, member, body)) }
  }),

  serve(routes.listTasks, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const spaceId = query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id
    const bound = ['tasks', actor.humanId, member.orgId, spaceId ?? '', query.state ?? '']
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listTaskRows(tx, member, { spaceId, state: query.state }, page),
    )
    return { status: 200, body: { items: await toTaskItems(tx, member, rows), next_cursor } }
  }),

  serve(routes.getTask, async (tx, { actor }, { params }) => {
    const reader = await requireReader(tx, actor, params.org, { task: params.ref })
    return answer(tx, reader, await findTask(tx, reader, params.ref))
  }),

  serve(routes.getOrderTask, async (tx, { actor }, { params }) => {
    const { org, task, reader } = await findTaskOfOrder(tx, actor, params.urn)
    return { status: 200, body: { org, task: await toTask(tx, reader, task) } }
  }),

  serve(routes.updateTask, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await updateTask(tx, member, params.ref, body))
  }),

  serve(routes.addTaskFile, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await setTaskFile(tx, member, { ...params, isOn: true }))
  }),

  serve(routes.removeTaskFile, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await setTaskFile(tx, member, { ...params, isOn: false }))
  }),

  serve(routes.claimTask, async (tx, { actor, settings }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    const claim = { ref: params.ref, leaseSeconds: body.lease_seconds }
    return answer(tx, member, await claimTask(tx, settings.rules, member, claim))
  }),

  serve(routes.releaseTask, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.releaseTask(tx, member, params.ref))
  }),

  serve(routes.submitTask, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.submitTask(tx, member, params.ref, body.result))
  }),

  serve(routes.approveTask, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.approveTask(tx, member, params.ref))
  }),

  serve(routes.rejectTask, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.rejectTask(tx, member, params.ref, body.reason))
  }),

  serve(routes.refileTask, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.refileTask(tx, member, params.ref))
  }),

  serve(routes.archiveTask, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await steps.archiveTask(tx, member, params.ref))
  }),

  serve(routes.offerTask, async (tx, call, { params, body }) => {
    const task = await offerTask(tx, call, { ...params, ...body })
    return answer(tx, await requireMember(tx, call.actor, params.org), task)
  }),

  serve(routes.withdrawOffer, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return answer(tx, member, await withdrawOffer(tx, member, params.ref))
  }),
]
