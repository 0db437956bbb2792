import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { AttachmentRow } from '../../attachments/find.ts'

/**
 * Returns a part of the text of an attachment in its wire form. Offset and limit are in characters (code
 * points).
 */
export async function readText(
  tx: Tx,
  { id, version, file_id, text_state }: AttachmentRow,
  { offset, limit }: { offset: number; limit: number },
) {
  const end = offset + limit
  const passages = await tx
    .selectFrom('market.file_texts')
    .select([
      'first_character',
      sql<string>`substr(text, greatest(${offset} - first_character, 0) + 1,
        (least(${end} - first_character, characters) - greatest(${offset} - first_character, 0))::integer)`.as('part'),
    ])
    .where('file_id', '=', file_id)
    .where('first_character', '<', end)
    .where(sql<boolean>`first_character + characters > ${offset}`)
    .orderBy('first_character')
    .execute()
  const last = await tx
    .selectFrom('market.file_texts')
    .select(['first_character', 'characters'])
    .where('file_id', '=', file_id)
    .orderBy('first_character', 'desc')
    .limit(1)
    .executeTakeFirst()
  const total = last ? last.first_character + last.characters : 0
  const text = passages.map(({ part }) => part).join('')
  const characters = Math.max(0, Math.min(end, total) - offset)
  const next = offset + characters
  return {
    ...{ attachment_id: id, version, state: text_state, text, offset, characters, total_characters: total },
    next_offset: next < total ? next : null,
  }
}
