import type { Db } from '../db/pool.ts'
import { readChunk } from './build.ts'
import type { ExportRow } from './find.ts'

/** The file of a finished export, piece by piece as it is read: no more than one is in memory. */
export function fileResponse(db: Db, row: ExportRow): Response {
  return new Response(pieces(db, row), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(row.size_bytes),
      'Content-Disposition': `attachment; filename="market-export-${row.id}.json"`,
      'Referrer-Policy': 'no-referrer',
    },
  })
}

function pieces(db: Db, { id, chunks }: ExportRow): ReadableStream<Uint8Array> {
  let sequence = 0
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (sequence === chunks) {
          controller.close()
          return
        }
        const piece = await readChunk(db, id, sequence).executeTakeFirst()
        // It expired, or its owner was erased. The receiver sees that the file ends short.
        if (!piece) throw new Error('the export was deleted while it was read')
        sequence += 1
        controller.enqueue(piece.bytes)
      },
    },
    { highWaterMark: 0 },
  )
}
