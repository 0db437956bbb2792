import type { ChainContext } from '../context/chain.ts'
import type { StoredTransaction } from '../context/records.ts'
import { isSignedTransaction } from './authenticity.ts'

/** Verifies rows of the file before anything uses them. */
export type AuthenticFile = ReturnType<typeof authenticFile>

/** Omits rows that are not signed by their stated signer, with one alarm for each. */
export function authenticFile(context: Pick<ChainContext, 'at' | 'log'>) {
  const reported = new Set<string>()
  const report = (table: string, key: string) => {
    if (reported.has(key)) return
    reported.add(key)
    context.log.error(
      { alarm: true, table, key },
      'a row of the file was not signed by the key it names: it is ignored',
    )
  }
  return {
    async transactions<Row extends StoredTransaction>(rows: readonly Row[]): Promise<Row[]> {
      const signed = await Promise.all(rows.map((row) => isSignedTransaction(row, context.at.chainId)))
      for (const [index, row] of rows.entries()) if (!signed[index]) report('facilitator.transactions', row.hash)
      return rows.filter((_, index) => signed[index])
    },
  }
}
