import { zeroHash } from 'viem'
import { noteSettled, readIncarnation } from '../../api/chain/progress.ts'
import type { Db } from '../../api/db/pool.ts'

/** Money may move: somebody has looked what the chain did, which in most tests is nothing. */
export async function knowChain(db: Db): Promise<void> {
  await noteSettled(db, { number: 0n, hash: zeroHash }, await readIncarnation(db))
}
