import type { Settings } from '../../../context.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { ExportRow } from './find.ts'
import { pieces } from './pieces.ts'

/** Streams the bytes of a finished export as fast as the receiver reads them. */
export function exportStream(db: Db, settings: Pick<Settings, 'blobDirectory' | 's3'>, row: ExportRow): ReadableStream {
  return ReadableStream.from(whole(db, settings, row)) as ReadableStream
}

/** Returns the headers that an export's file is served with. */
export function exportHeaders(row: ExportRow): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(row.size_bytes),
    'Content-Disposition': `attachment; filename="market-export-${row.id}.json"`,
    'Referrer-Policy': 'no-referrer',
  }
}

// If bytes are missing, the stream fails, so the receiver sees a short file instead of waiting for the rest.
async function* whole(
  db: Db,
  settings: Pick<Settings, 'blobDirectory' | 's3'>,
  row: ExportRow,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0n
  for await (const bytes of pieces(db, settings, row)) {
    sizeBytes += BigInt(bytes.byteLength)
    yield bytes
  }
  if (sizeBytes !== row.size_bytes) throw new Error('a blob of the export was deleted while it was read')
}
