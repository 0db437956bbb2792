import { newId } from '../../../../protocol/encoding/ids.ts'
import { notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { accountIdOf, notify } from '../../notifications/notify.ts'
import { findPage, idForEvent } from '../../pages/find.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { findTask } from '../../tasks/find.ts'
import { decisionEvents, decisionNotices } from '../module.ts'
import { decisionProblems } from '../problems.ts'
import { type DecisionRow, findDecision } from './find.ts'

/**
 * A new decision: its space, the thing that it is about, and the decision that it replaces, by short ids or
 * UUIDs.
 */
export interface NewDecision {
  space: string
  page?: string | undefined
  task?: string | undefined
  supersedes?: string | undefined
  title: string
  text: string
}

/**
 * Records a decision, and notifies the authors of the thing that it is about. A decision never changes:
 * another one replaces it. Throws the uniform 404, also if the earlier one is of another space, and 409 if
 * that has a successor or the space is archived.
 */
export async function recordDecision(tx: Tx, member: Member, input: NewDecision): Promise<DecisionRow> {
  const { orgId, urn } = member
  const space = await openSpace(tx, member, input.space)
  const page = input.page === undefined ? undefined : await findPage(tx, member, input.page)
  const task = input.task === undefined ? undefined : await findTask(tx, member, input.task)
  const earlier = input.supersedes === undefined ? undefined : await findDecision(tx, member, input.supersedes)
  if (earlier && earlier.space_id !== space.id) throw notFound('decision')
  const id = newId()
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('market.decisions')
    .values({
      ...{ id, short_id: newShortId(), org_id: orgId, space_id: space.id, supersedes: earlier?.id ?? null },
      ...{ page_id: page?.id ?? null, task_id: task?.id ?? null },
      ...{ title: input.title, text: input.text, created_by: urn },
    })
    .onConflict((conflict) => conflict.column('supersedes').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw superseded()
  const decision = await findDecision(tx, member, id)
  const { short_id, supersedes } = decision
  const about = { page_id: await idForEvent(tx, page, space.id), task_id: await idForEvent(tx, task, space.id) }
  const data = { ...about, supersedes }
  await recordChange(tx, orgId, member, {
    type: decisionEvents['decision.recorded'],
    entity: decision,
    spaceId: space.id,
    data,
  })
  await notify(tx, {
    ...{ kind: decisionNotices['decision.recorded'], orgId, by: member, spaceId: space.id },
    recipients: [page, task, earlier].flatMap((subject) => (subject ? accountIdOf(subject.created_by) : [])),
    entity: { type: 'decision', id, short_id },
  })
  return decision
}

function superseded(): Problem {
  return new Problem(decisionProblems.decisionSuperseded, {
    detail: 'Another decision replaced this one. Read that one, and supersede it.',
    field: 'supersedes',
  })
}
