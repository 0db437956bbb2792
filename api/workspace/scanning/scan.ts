import { sql } from 'kysely'
import type { ScannerSettings } from '../../context.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { beginAttempt } from '../../platform/jobs/attempts.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { connectScanner, type ScanResult, scanStream } from './internal/clamd.ts'
import { recordScan } from './internal/record.ts'

const UNSCANNABLE: ScanResult = { state: 'unscannable', signature: null }

/**
 * Has the virus scanner, if there is one, scan the files that it has not scanned yet. A file does not block
 * the others.
 */
export async function scanFiles(services: JobServices): Promise<void> {
  const { db, settings } = services
  const { scanner } = settings
  if (!scanner) return
  const find = (limit: number) =>
    db
      .selectFrom('market.files')
      .select('id')
      .where('scan_state', '=', 'unscanned')
      .where('sha256', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute()
  const act = ({ id }: { id: string }) => scanFile(services, scanner, id)
  await forEachPending(services, 'virus scan', { find, act, atOnce: 20, lanes: 2 })
}

async function scanFile({ db, settings }: JobServices, scanner: ScannerSettings, fileId: string): Promise<void> {
  // This comes before the scan is counted: while nothing listens, no scan is tried.
  const socket = await connectScanner(scanner)
  try {
    const isUnscanned = sql<boolean>`id = ${fileId} and scan_state = 'unscanned'`
    const begun = await beginAttempt(db, 'market.files', 'scans', isUnscanned)
    if (!begun) return
    const bytes = begun.isUsedUp ? undefined : await blobsOf(settings).read(fileId)
    const result = bytes ? await scanStream(socket, bytes) : UNSCANNABLE
    await inTransaction(db, 'read write', (tx) => recordScan(tx, fileId, result))
  } finally {
    socket.destroy()
  }
}
