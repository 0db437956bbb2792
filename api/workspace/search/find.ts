import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { Deadline } from '../../trading/search/deadline.ts'
import { type AttachmentRow, findAttachmentRows } from '../attachments/find.ts'
import { mayRead, type Reader } from '../membership.ts'

const MAX_SEARCH_MS = 2_000
// One fragment without marks: a reader sees it as it is written.
const SNIPPET = 'MaxFragments=1, MinWords=8, MaxWords=24, StartSel="", StopSel=""'

/** An attachment whose text has the words, and where. The id is the attachment's. */
export interface HitRow {
  id: string
  attachment: AttachmentRow
  snippet: string
  first_character: number
}

/**
 * Lists the attachments that a reader sees whose current text has the words of a query, newest first, below an id; none in the trash.
 * Throws 503 for a search that takes too long.
 */
export async function searchAttachments(
  tx: Tx,
  reader: Reader,
  q: string,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<HitRow[]> {
  const words = sql`websearch_to_tsquery('pg_catalog.english', ${q})`
  const { orgId } = reader
  return new Deadline(MAX_SEARCH_MS).run(tx, async () => {
    const { rows } = await sql<Omit<HitRow, 'attachment'>>`
      with matches as (
        select distinct on (attachment.id) attachment.id, passage.file_id, passage.first_character
        from market.file_texts passage
        join market.attachment_versions version on version.file_id = passage.file_id
        join market.attachments attachment
          on attachment.id = version.attachment_id and attachment.version = version.number
        join market.pages page on page.id = attachment.page_id
        where passage.search @@ (${`'${orgId}'`}::tsquery && ${words})
          -- A query of words that are in no index finds nothing, not everything.
          and numnode(${words}) > 0
          and passage.org_id = ${orgId} and attachment.org_id = ${orgId} and attachment.trashed_at is null
          and page.trashed_at is null and ${mayRead(reader, 'page.space_id')}
          and (${from ?? null}::uuid is null or attachment.id < ${from ?? null}::uuid)
        order by attachment.id desc, passage.first_character
        limit ${limit})
      select matches.id, matches.first_character,
        ts_headline('pg_catalog.english', passage.text, ${words}, ${SNIPPET}) as snippet
      from matches join market.file_texts passage using (file_id, first_character)
      order by matches.id desc`.execute(tx)
    const attachments = await findAttachmentRows(
      tx,
      reader,
      rows.map(({ id }) => id),
    )
    return rows.flatMap((row) => {
      const attachment = attachments.find(({ id }) => id === row.id)
      return attachment ? [{ ...row, attachment }] : []
    })
  })
}
