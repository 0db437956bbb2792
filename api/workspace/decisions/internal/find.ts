import { type Selectable, sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { mayRead, type Reader } from '../../membership.ts'
import { refColumn } from '../../schemas.ts'

/**
 * A decision as a reader sees it: the thing that it is about is null if they do not see that thing. Includes
 * the successor.
 */
export interface DecisionRow extends Selectable<Database['market.decisions']> {
  superseded_by: string | null
}

/** Returns a decision that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findDecision(tx: Tx, reader: Reader, ref: string): Promise<DecisionRow> {
  const { column, value } = refColumn(ref)
  const row = await selectDecisions(tx, reader).where(`decision.${column}`, '=', value).executeTakeFirst()
  if (row) return row
  throw notFound('decision')
}

/** Which decisions a list has: those of a space, on a page or a task, and whether they have a successor. */
export interface DecisionFilter {
  spaceId: string | undefined
  pageId: string | undefined
  taskId: string | undefined
  isSuperseded: boolean | undefined
}

/** Lists the decisions that a reader sees, newest first, starting below an id. */
export async function listDecisionRows(
  tx: Tx,
  reader: Reader,
  { spaceId, pageId, taskId, isSuperseded }: DecisionFilter,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<DecisionRow[]> {
  let query = selectDecisions(tx, reader)
  if (spaceId !== undefined) query = query.where('decision.space_id', '=', spaceId)
  if (pageId !== undefined) query = query.where('decision.page_id', '=', pageId)
  if (taskId !== undefined) query = query.where('decision.task_id', '=', taskId)
  if (isSuperseded !== undefined) query = query.where('later.id', isSuperseded ? 'is not' : 'is', null)
  if (from !== undefined) query = query.where('decision.id', '<', from)
  return query.orderBy('decision.id', 'desc').limit(limit).execute()
}

function selectDecisions(tx: Tx, reader: Reader) {
  return tx
    .selectFrom('market.decisions as decision')
    .leftJoin('market.decisions as later', 'later.supersedes', 'decision.id')
    .select(['decision.id', 'decision.short_id', 'decision.org_id', 'decision.space_id', 'decision.supersedes'])
    .select(['decision.title', 'decision.text', 'decision.created_by', 'decision.created_at'])
    .select([
      sql<string | null>`(select page.id from market.pages page
        where page.id = decision.page_id and ${mayRead(reader, 'page.space_id')})`.as('page_id'),
      sql<string | null>`(select task.id from market.tasks task
        where task.id = decision.task_id and ${mayRead(reader, 'task.space_id')})`.as('task_id'),
    ])
    .select('later.id as superseded_by')
    .where('decision.org_id', '=', reader.orgId)
    .where(mayRead(reader, 'decision.space_id'))
}

/** Returns a decision in its wire form. */
export function toDecision({ org_id: _, created_at, ...row }: DecisionRow) {
  return { ...row, created_at: created_at.toISOString() }
}
