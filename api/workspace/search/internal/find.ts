import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { Deadline } from '../../../trading/search/deadline.ts'
import { parseQuery, type Query, typedWords } from '../../../trading/search/query.ts'
import { mayRead, type Reader } from '../../membership.ts'
import type { Position, Rank } from './position.ts'

const MAX_SEARCH_MS = 2_000
const MAX_CANDIDATES = 500
const MAX_TITLED = 100
const MAX_WITH_WORDS = 1_000
const QUANTA = 1_000
/** How far around a snippet the characters at its ends are read. */
const MARGIN = 40
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const characters = new Intl.Segmenter()

/** The types of things that a search finds. */
export type HitType = 'page' | 'entry' | 'task' | 'comment' | 'attachment'

/** The text to search for, and the place to search in. */
export interface Wanted {
  text: string
  type: HitType | undefined
  spaceId: string | undefined
}

/** A thing that has the words, its place, and the part of its text that has them. */
export interface HitRow extends Rank {
  type: HitType
  short_id: string
  title: string
  space_id: string
  page_id: string | null
  task_id: string | null
  /** Cut between characters. */
  snippet: string
  /** The first character of the passage of an attachment's text. */
  first_character: number | null
  created_by: string
  created_at: Date
  /** The newest candidate of the search. */
  newest: string
}

/**
 * Returns the things that a reader sees in an org and that have the words of a text, best first, at most
 * `limit`, from a position on; none in the trash. Ranked are the newest 500 documents (names of attachments
 * among them) and the newest 500 texts of attachments with the words, and the newest 100 with exactly this
 * title; phrases and negations are evaluated among the newest 1,000 documents that have the words. Throws
 * search/timed-out (503) after two seconds.
 */
export async function findHits(
  tx: Tx,
  reader: Reader,
  wanted: Wanted,
  { from, limit }: { from: Position | undefined; limit: number },
): Promise<HitRow[]> {
  const { newest = LAST_ID, behind } = from ?? {}
  const isBehind = behind ? sql`(score, id) < (${behind.score}::integer, ${behind.id}::uuid)` : sql`true`
  const { rows } = await new Deadline(MAX_SEARCH_MS).run(tx, async () => {
    const query = await parseQuery(tx, wanted.text)
    return sql<HitRow & Cut>`
      with documents as (${documents(reader, wanted, query, newest)}),
      passages as (${passages(reader, wanted, query, newest)}),
      candidates as materialized (
        select id, coalesce(named.type, 'attachment') as type, passages.file_id, passages.first_character,
          ${quanta(query)} as score
        from (select id, type, search from documents join market.search_documents using (id)
          where is_titled or search @@ ${query.exact}::tsquery) named
        full join passages using (id)),
      found as (
        select *, (select id from candidates order by id desc limit 1) as newest from candidates
        where ${isBehind} order by score desc, id desc limit ${limit})
      ${shown(reader, wanted, query)}`.execute(tx)
  })
  return rows.map(({ before, after, ...row }) => ({ ...row, snippet: between(row.snippet, { before, after }) }))
}

/** The text around a snippet, as far as it is known. */
interface Cut {
  before: string
  after: string
}

/** Returns a snippet without the characters that it has only parts of, such as flags and accented letters. */
function between(snippet: string, { before, after }: Cut): string {
  const end = before.length + snippet.length
  return [...characters.segment(before + snippet + after)]
    .filter(({ index, segment }) => index >= before.length && index + segment.length <= end)
    .map(({ segment }) => segment)
    .join('')
}

/** For an attachment, the words of its name and of its text count together. */
function quanta({ exact }: Query) {
  return sql`greatest(1, least(${QUANTA}, round(${QUANTA} * (
    coalesce(ts_rank(named.search, ${exact}::tsquery), 0)
      + coalesce(ts_rank(passages.search, ${exact}::tsquery), 0)))))::integer`
}

/** Pages, entries, tasks, comments, and attachments by their names. */
function documents(reader: Reader, wanted: Wanted, { exact, words, title }: Query, newest: string) {
  const isListed = sql`not is_trashed and org_id = ${reader.orgId} and id <= ${newest}::uuid
    and ${wanted.type === undefined ? sql`true` : sql`type = ${wanted.type}`} and ${isSeen(reader, wanted, 'space_id')}`
  const scope = [
    reader.orgId,
    ...(wanted.spaceId ? [wanted.spaceId] : []),
    ...(wanted.type ? [`type ${wanted.type}`] : []),
  ]
  const scoped = sql`(${scope.map((word) => `'${word}'`).join(' & ')}::tsquery && ${words}::tsquery)`
  return sql`
    with titled as (
      select id from market.search_documents where ${isListed} and market.title_key(title) = ${title}
      order by id desc limit ${MAX_TITLED}),
    with_words as (
      select id, search from market.search_documents where ${isListed} and search @@ ${scoped}
      order by id desc limit ${MAX_WITH_WORDS}),
    matching as (select id from with_words where search @@ ${exact}::tsquery order by id desc limit ${MAX_CANDIDATES})
    select id, bool_or(is_titled) as is_titled
    from (select id, true as is_titled from titled union all select id, false from matching) either
    group by id order by is_titled desc, id desc limit ${MAX_CANDIDATES}`
}

/** Attachments by their texts, each by the first passage of its current text that has the words. */
function passages(reader: Reader, wanted: Wanted, { exact }: Query, newest: string) {
  const { orgId } = reader
  return sql`
    select distinct on (attachment.id) attachment.id, passage.file_id, passage.first_character, passage.search
    from market.file_texts passage
    join market.attachment_versions version on version.file_id = passage.file_id
    join market.attachments attachment
      on attachment.id = version.attachment_id and attachment.version = version.number
    join market.pages page on page.id = attachment.page_id
    where passage.search @@ (${`'${orgId}'`}::tsquery && ${exact}::tsquery)
      -- A query of words that are in no index finds nothing, not everything.
      and numnode(${exact}::tsquery) > 0
      and ${wanted.type === undefined || wanted.type === 'attachment' ? sql`true` : sql`false`}
      and passage.org_id = ${orgId} and attachment.org_id = ${orgId} and attachment.trashed_at is null
      and page.trashed_at is null and ${isSeen(reader, wanted, 'page.space_id')} and attachment.id <= ${newest}::uuid
    order by attachment.id desc, passage.first_character
    limit ${MAX_CANDIDATES}`
}

function isSeen(reader: Reader, { spaceId }: Pick<Wanted, 'spaceId'>, column: string) {
  if (spaceId !== undefined) return sql`${sql.ref(column)} = ${spaceId}`
  if (reader.role !== 'member') return sql`true`
  return sql`${sql.ref(column)} in (
    select space.id from market.spaces space where space.org_id = ${reader.orgId} and ${mayRead(reader, 'space.id')})`
}

/**
 * The parts of each hit that a reader is shown. A comment is at the present place of its page, which may have
 * moved.
 */
function shown(reader: Reader, { text }: Wanted, { any }: Query) {
  return sql`
    select found.id, found.type, found.score, found.newest, found.first_character,
      own.short_id, own.created_by, own.created_at, place.space_id, on_page.id as page_id, on_task.id as task_id,
      coalesce(own.title, on_page.title, on_task.title) as title, snippet,
      case when at > 1 then substr(own.content, greatest(1, at - ${MARGIN}), least(${MARGIN}, at - 1)) else '' end as before,
      case when at > 0 then substr(own.content, at + length(snippet), ${MARGIN}) else '' end as after
    from found
    cross join lateral (
      select short_id, created_by, created_at, title, text as content, id as page_id, null::uuid as task_id
        from market.pages where found.type = 'page' and id = found.id
      union all select short_id, created_by, created_at, null, text, page_id, null
        from market.entries where found.type = 'entry' and id = found.id
      union all select short_id, created_by, created_at, title, concat_ws(E'\n', text, result), null, id
        from market.tasks where found.type = 'task' and id = found.id
      union all select short_id, created_by, created_at, null, text, page_id, task_id
        from market.comments where found.type = 'comment' and id = found.id
      union all select short_id, created_by, created_at, filename, coalesce(passage.text, filename), page_id, null
        from market.attachments
        left join market.file_texts passage
          on passage.file_id = found.file_id and passage.first_character = found.first_character
        where found.type = 'attachment' and id = found.id) own
    cross join lateral (
      select market.snippet(own.content, ${any}::tsquery, ${typedWords(text)}::text[]) as snippet offset 0) cut
    cross join lateral (select strpos(own.content, snippet) as at) place_of_cut
    left join market.pages on_page on on_page.id = own.page_id
    left join market.tasks on_task on on_task.id = own.task_id
    cross join lateral (select coalesce(on_page.space_id, on_task.space_id) as space_id) place
    where on_page.trashed_at is null and ${mayRead(reader, 'place.space_id')}
    order by found.score desc, found.id desc`
}
