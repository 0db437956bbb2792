import { zeroHash } from 'viem'
import { nextPass, readDatabaseEpoch, recordProcessed } from '../../../api/payments/chain/progress.ts'
import type { Db } from '../../../api/platform/db/pool.ts'

/** Money may move: somebody has looked what the chain did, which in most tests is nothing. */
export async function knowChain(db: Db): Promise<void> {
  const pass = { databaseEpoch: await readDatabaseEpoch(db), pass: await nextPass(db) }
  await recordProcessed(db, { number: 0n, hash: zeroHash }, pass)
}
