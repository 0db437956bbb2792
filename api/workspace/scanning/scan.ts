import { sql } from 'kysely'
import { blobsOf } from '../../platform/blobs/open.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { connectScanner, type ScanResult, scanStream } from './clamd.ts'
import { recordScan } from './record.ts'

const AT_ONCE = 20
const LANES = 2
const MAX_SCANS = 3
const UNSCANNABLE: ScanResult = { state: 'unscannable', signature: null }

/** Has the virus scanner, where there is one, look at the files that it has not seen. A file holds up no other. */
export async function scanFiles(services: JobServices): Promise<void> {
  if (services.settings.scanner) while (await scanSome(services));
}

/** Returns true when there may be more. */
async function scanSome(services: JobServices): Promise<boolean> {
  const due = await services.db
    .selectFrom('market.files')
    .select('id')
    .where('scan_state', '=', 'unscanned')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'virus scan', due, ({ id }) => scanFile(services, id), LANES)
  return due.length === AT_ONCE && failed.length === 0
}

async function scanFile({ db, settings }: JobServices, fileId: string): Promise<void> {
  const { scanner } = settings
  if (!scanner) return
  // Before the scan is counted: while nothing listens, nothing is tried.
  const socket = await connectScanner(scanner)
  try {
    const begun = await db
      .updateTable('market.files')
      .set({ scans: sql<number>`scans + 1` })
      .where('id', '=', fileId)
      .where('scan_state', '=', 'unscanned')
      .returning('scans')
      .executeTakeFirst()
    if (!begun) return
    const bytes = begun.scans > MAX_SCANS ? undefined : await blobsOf(settings).read(fileId)
    const result = bytes ? await scanStream(socket, bytes) : UNSCANNABLE
    await inTransaction(db, 'read write', (tx) => recordScan(tx, fileId, result))
  } finally {
    socket.destroy()
  }
}
