import { sql } from 'kysely'
import { criteriaSha256 } from '../../../protocol/records/baseline.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { withCopy } from '../../platform/blobs/store.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findBubblewrap } from '../../platform/isolation/isolate.ts'
import { beginAttempt } from '../../platform/jobs/attempts.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { readMeasures } from './read.ts'
import { byteChecks } from './results.ts'
import { MAX_READ_BYTES, runChecks, unchecked } from './run.ts'

/** Checks the uploads that are to be checked against the criteria of their orders. */
export async function checkDeliveries(services: JobServices): Promise<void> {
  const bubblewrap = await findBubblewrap(services.settings.bubblewrap)
  const find = (limit: number) =>
    services.db
      .selectFrom('market.delivery_checks as wanted')
      .innerJoin('market.deliveries as delivery', 'delivery.id', 'wanted.delivery_id')
      .select(['delivery.id', 'delivery.order_id', 'delivery.size_bytes', 'delivery.sha256'])
      .where('wanted.results', 'is', null)
      .orderBy('wanted.order_id')
      .limit(limit)
      .execute()
  const act = (upload: Upload) => checkOne(services, bubblewrap, upload)
  await forEachPending(services, 'check', { find, act, atOnce: 20, lanes: 2 })
}

interface Upload {
  id: string
  order_id: string
  size_bytes: bigint
  sha256: string
}

async function checkOne({ db, settings }: JobServices, bubblewrap: string | undefined, upload: Upload): Promise<void> {
  const { id, order_id: orderId, size_bytes: sizeBytes, sha256 } = upload
  const isUnchecked = sql<boolean>`delivery_id = ${id} and results is null`
  const begun = await beginAttempt(db, 'market.delivery_checks', 'attempts', isUnchecked)
  const measure = (await inTransaction(db, 'read only', (tx) => readMeasures(tx, [orderId]))).get(orderId)
  // Criteria that have changed meanwhile have their own row, in the place of this one.
  if (!begun || !measure || criteriaSha256(measure) !== begun.row.criteria_sha256) return
  const checks = byteChecks(measure.criteria)
  const bytes = { sizeBytes, sha256, isReused: await isReused(db, upload) }
  const make = (path: string) => runChecks(bubblewrap, { ...bytes, path }, checks)
  const copy = { id, maxBytes: MAX_READ_BYTES }
  const results = begun.isUsedUp ? unchecked(checks) : await withCopy(blobsOf(settings), copy, make)
  if (!results) throw new Error(`the bytes of delivery ${id} are gone`)
  await db
    .updateTable('market.delivery_checks')
    .set({ results: JSON.stringify(results), checked_at: sql<Date>`market.now()` })
    .where('delivery_id', '=', id)
    .where('criteria_sha256', '=', begun.row.criteria_sha256)
    .where('results', 'is', null)
    .execute()
}

/**
 * Returns whether the seller of an upload had given notice of the same bytes in another order before they
 * were uploaded.
 */
async function isReused(db: Db, { id }: Upload): Promise<boolean> {
  const { rows } = await sql`
    select from market.deliveries upload
      join market.orders sold on sold.id = upload.order_id
      join market.delivery_notices notice on notice.output_hash = upload.sha256 and notice.order_id <> upload.order_id
        and notice.delivered_at <= upload.created_at
      join market.orders earlier on earlier.id = notice.order_id and earlier.seller_id = sold.seller_id
    where upload.id = ${id} limit 1`.execute(db)
  return rows.length > 0
}
