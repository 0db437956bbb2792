import { type Selectable, sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { mayRead, type Reader } from '../../membership.ts'
import { refColumn } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { findAnchor } from './anchor.ts'
import type { Anchor } from './text.ts'

/**
 * A comment as stored, the present place of the thing that it is about, and, for a comment on a page, the
 * page's present text.
 */
export interface CommentRow extends Selectable<Database['market.comments']> {
  page_text: string | null
  space_id: string
}

/** Returns a comment that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findComment(tx: Tx, reader: Reader, ref: string): Promise<CommentRow> {
  const { column, value } = refColumn(ref)
  const row = await selectComments(tx, reader).where(`comment.${column}`, '=', value).executeTakeFirst()
  if (row) return row
  throw notFound('comment')
}

/**
 * Returns a comment and locks it before it changes. Throws the uniform 404, and 409 for a comment in an
 * archived space.
 */
export async function lockComment(tx: Tx, reader: Reader, ref: string): Promise<CommentRow> {
  const { id, space_id } = await findComment(tx, reader, ref)
  await tx.selectFrom('market.comments').select('id').where('id', '=', id).forUpdate().execute()
  await openSpace(tx, reader, space_id)
  return findComment(tx, reader, id)
}

/** Which comments a list has: those on a page, on a task, or the answers to a comment. */
export interface CommentFilter {
  pageId: string | undefined
  taskId: string | undefined
  threadId: string | undefined
  /** Only comments that begin threads: resolved ones, or open ones. */
  isResolved: boolean | undefined
}

/** Lists the comments that a reader sees, newest first, starting below an id. */
export async function listCommentRows(
  tx: Tx,
  reader: Reader,
  { pageId, taskId, threadId, isResolved }: CommentFilter,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<CommentRow[]> {
  let query = selectComments(tx, reader)
  if (pageId !== undefined) query = query.where('comment.page_id', '=', pageId)
  if (taskId !== undefined) query = query.where('comment.task_id', '=', taskId)
  if (threadId !== undefined) query = query.where('comment.thread_id', '=', threadId)
  if (isResolved !== undefined) {
    const has = isResolved ? 'is not' : 'is'
    query = query.where('comment.thread_id', 'is', null).where('comment.resolved_at', has, null)
  }
  if (from !== undefined) query = query.where('comment.id', '<', from)
  return query.orderBy('comment.id', 'desc').limit(limit).execute()
}

function selectComments(tx: Tx, reader: Reader) {
  return (
    tx
      .selectFrom('market.comments as comment')
      .leftJoin('market.pages as page', 'page.id', 'comment.page_id')
      .leftJoin('market.tasks as task', 'task.id', 'comment.task_id')
      .selectAll('comment')
      // The present place of the thing: a page takes its comments along when it moves.
      .select(sql<string>`coalesce(page.space_id, task.space_id)`.as('space_id'))
      .select('page.text as page_text')
      .where('comment.org_id', '=', reader.orgId)
      .where('page.trashed_at', 'is', null)
      .where((where) =>
        where.or([
          where.and([where('comment.page_id', 'is not', null), mayRead(reader, 'page.space_id')]),
          where.and([where('comment.task_id', 'is not', null), mayRead(reader, 'task.space_id')]),
        ]),
      )
  )
}

/** Returns a comment in its wire form. */
export function toComment(row: CommentRow) {
  const { id, short_id, page_id, task_id, thread_id, text, created_by, resolved_by } = row
  return {
    ...{ id, short_id, page_id, task_id, thread_id, text, created_by, resolved_by },
    anchor: row.anchor && toPlace(row.anchor, row.page_text ?? ''),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
  }
}

function toPlace(anchor: Anchor, text: string) {
  return { quote: anchor.quote, ...(findAnchor(text, anchor) ?? { start: null, end: null }) }
}
