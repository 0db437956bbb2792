import type { Tx } from '../../../platform/db/pool.ts'
import type { MadePreviews, MadeText } from './make.ts'
import { passagesOf } from './passages.ts'

/** The text and previews that were made of a file. */
export interface Made {
  text: MadeText
  previews: MadePreviews
}

/** A preview whose bytes are stored under its id. */
interface StoredPreview {
  id: string
  size: number
  sizeBytes: number
}

/**
 * Stores the text and previews of a file. If the file is gone or was processed meanwhile, the stored previews
 * are removed again. A file that was given up takes what an attempt makes that ends after all: three attempts
 * may have run at once.
 */
export async function keepMade(
  tx: Tx,
  file: { id: string; org_id: string },
  { text, previews }: Made,
  stored: readonly StoredPreview[],
): Promise<void> {
  const isMade = text.state !== 'failed' || previews.state !== 'failed'
  const { numUpdatedRows } = await tx
    .updateTable('market.files')
    .set({ text_state: text.state, preview_state: previews.state })
    .where('id', '=', file.id)
    .where(({ eb, and, or }) =>
      or([
        eb('text_state', '=', 'pending'),
        and([eb('text_state', '=', 'failed'), eb('preview_state', '=', 'failed'), eb.lit(isMade)]),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    const unused = stored.map(({ id }) => ({ blob_id: id }))
    if (unused.length > 0) await tx.insertInto('market.blob_removals').values(unused).execute()
    return
  }
  const passages = [...passagesOf(text.text)].map(({ first, characters, text }) => ({
    ...{ file_id: file.id, org_id: file.org_id, first_character: first, characters, text },
  }))
  if (passages.length > 0) await tx.insertInto('market.file_texts').values(passages).execute()
  const rows = stored.map(({ id, size, sizeBytes }) => ({ id, file_id: file.id, size, size_bytes: BigInt(sizeBytes) }))
  if (rows.length > 0) await tx.insertInto('market.previews').values(rows).execute()
}
