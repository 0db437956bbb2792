import type { Settings } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { ExportRow } from './find.ts'
import { pieces } from './pieces.ts'

/** The file of a finished export, as fast as it is taken. */
export function fileResponse(db: Db, settings: Settings, row: ExportRow): Response {
  return new Response(ReadableStream.from(whole(db, settings, row)) as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(row.size_bytes),
      'Content-Disposition': `attachment; filename="market-export-${row.id}.json"`,
      'Referrer-Policy': 'no-referrer',
    },
  })
}

// A receiver sees a file that ends short; one that only waits for the rest would see nothing.
async function* whole(db: Db, settings: Settings, row: ExportRow): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0n
  for await (const bytes of pieces(db, settings, row)) {
    sizeBytes += BigInt(bytes.byteLength)
    yield bytes
  }
  if (sizeBytes !== row.size_bytes) throw new Error('a blob of the export was deleted while it was read')
}
