import type { MarketRules } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { lockStorage, releaseBytes, reserveBytes } from '../attachments/storage.ts'
import type { UploadRow } from './find.ts'

/** Says how long an upload is that was begun without a length, and reserves room for it. Throws 413 beyond the quota. */
export async function declareLength(
  tx: Tx,
  rules: MarketRules,
  upload: UploadRow,
  lengthBytes: number,
): Promise<UploadRow> {
  return setReserved(tx, rules, upload, { lengthBytes: BigInt(lengthBytes), reservedBytes: BigInt(lengthBytes) })
}

/** Reserves more room for an upload whose length is not known yet. Throws 413 beyond the quota. */
export async function reserveMore(
  tx: Tx,
  rules: MarketRules,
  upload: UploadRow,
  reservedBytes: number,
): Promise<UploadRow> {
  return setReserved(tx, rules, upload, { lengthBytes: null, reservedBytes: BigInt(reservedBytes) })
}

async function setReserved(
  tx: Tx,
  rules: MarketRules,
  { id, org_id, lease_id }: UploadRow,
  { lengthBytes, reservedBytes }: { lengthBytes: bigint | null; reservedBytes: bigint },
): Promise<UploadRow> {
  await lockStorage(tx, org_id)
  const { reserved_bytes: before } = await tx
    .selectFrom('market.uploads')
    .select('reserved_bytes')
    .where('id', '=', id)
    .where('lease_id', '=', lease_id)
    .where('length_bytes', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (reservedBytes > before) await reserveBytes(tx, rules, org_id, reservedBytes - before)
  else await releaseBytes(tx, org_id, before - reservedBytes)
  return tx
    .updateTable('market.uploads')
    .set({ length_bytes: lengthBytes, reserved_bytes: reservedBytes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
