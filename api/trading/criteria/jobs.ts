import { sql } from 'kysely'
import { criteriaSha256 } from '../../../protocol/records/baseline.ts'
import { withCopy } from '../../platform/blobs/copyOut.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findBubblewrap } from '../../platform/isolation/isolate.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { readMeasures } from './read.ts'
import { byteChecks } from './results.ts'
import { MAX_READ_BYTES, runChecks, unchecked } from './run.ts'

const AT_ONCE = 20
const LANES = 2
const MAX_ATTEMPTS = 3

/** Checks the uploads that are to be checked against the criteria of their orders. */
export async function checkDeliveries(services: JobServices): Promise<void> {
  const bubblewrap = await findBubblewrap(services.settings.bubblewrap)
  while (await checkSome(services, bubblewrap));
}

/** Returns true when there may be more. */
async function checkSome(services: JobServices, bubblewrap: string | undefined): Promise<boolean> {
  const due = await services.db
    .selectFrom('market.delivery_checks as wanted')
    .innerJoin('market.deliveries as delivery', 'delivery.id', 'wanted.delivery_id')
    .select(['delivery.id', 'delivery.order_id', 'delivery.size_bytes', 'delivery.sha256'])
    .where('wanted.results', 'is', null)
    .orderBy('wanted.order_id')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'check', due, (upload) => checkOne(services, bubblewrap, upload), LANES)
  return due.length === AT_ONCE && failed.length === 0
}

interface Upload {
  id: string
  order_id: string
  size_bytes: bigint
  sha256: string
}

async function checkOne({ db, settings }: JobServices, bubblewrap: string | undefined, upload: Upload): Promise<void> {
  const { id, order_id: orderId, size_bytes: sizeBytes, sha256 } = upload
  // Counted before it is begun: whatever it does to this process, it does it three times at most.
  const begun = await db
    .updateTable('market.delivery_checks')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('delivery_id', '=', id)
    .where('results', 'is', null)
    .returning(['attempts', 'criteria_sha256'])
    .executeTakeFirst()
  const measure = (await inTransaction(db, 'read only', (tx) => readMeasures(tx, [orderId]))).get(orderId)
  // Criteria that have changed meanwhile have their own row, in the place of this one.
  if (!begun || !measure || criteriaSha256(measure) !== begun.criteria_sha256) return
  const checks = byteChecks(measure.criteria)
  const bytes = { sizeBytes, sha256, isReused: await isReused(db, upload) }
  const make = (path: string) => runChecks(bubblewrap, { ...bytes, path }, checks)
  const copy = { id, maxBytes: MAX_READ_BYTES }
  const isGivenUp = begun.attempts > MAX_ATTEMPTS
  const results = isGivenUp ? unchecked(checks) : await withCopy(blobsOf(settings), copy, make)
  if (!results) throw new Error(`the bytes of delivery ${id} are gone`)
  await db
    .updateTable('market.delivery_checks')
    .set({ results: JSON.stringify(results), checked_at: sql<Date>`market.now()` })
    .where('delivery_id', '=', id)
    .where('criteria_sha256', '=', begun.criteria_sha256)
    .where('results', 'is', null)
    .execute()
}

/** Returns whether the seller of an upload had given notice of the same bytes in another order before they were uploaded. */
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
