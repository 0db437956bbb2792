import { type Address, getAddress, type Hex } from 'viem'
import type { StoredTransaction } from '../context/records.ts'
import type { AuthenticFile } from './authenticFile.ts'
import { columns } from './columns.ts'
import type { Session } from './session.ts'

/** The columns of a row, of a table aliased as transaction. */
export const COLUMNS = `transaction.hash, transaction.intent_id, transaction.signer, transaction.nonce, transaction.raw,
  transaction.valid_before, transaction.owner_id, transaction.charged_wei`

/** Queries for the transactions on file. */
export function transactionStore(session: Session, file: AuthenticFile) {
  return {
    /** Returns a signer's transactions from a nonce on, in signing order. */
    async transactionsFrom(signer: Address, nonce: number): Promise<StoredTransaction[]> {
      const { rows } = await session.query<TransactionRow>(
        `select ${COLUMNS} from facilitator.transactions transaction
         where signer = $1 and nonce >= $2 order by nonce, created_at`,
        [signer.toLowerCase(), nonce],
      )
      return file.transactions(rows.map(toTransaction))
    },

    /** Returns every key that has signed a transaction on file. */
    async signersOnFile(): Promise<Address[]> {
      // Skips from one key to the next through the index.
      const { rows } = await session.query<{ signer: Address }>(
        `with recursive known as (
           (select signer from facilitator.transactions order by signer limit 1)
           union all
           select (select next.signer from facilitator.transactions next where next.signer > known.signer
                   order by next.signer limit 1)
           from known where known.signer is not null)
         select signer from known where signer is not null`,
      )
      return rows.map(({ signer }) => getAddress(signer))
    },

    /** Records transactions in one statement: all are on file when it returns, or none is. */
    async recordTransactions(transactions: readonly StoredTransaction[]): Promise<void> {
      await session.write(
        `insert into facilitator.transactions
           (hash, intent_id, signer, nonce, raw, valid_before, owner_id, charged_wei)
         select * from unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::uuid[],
           $8::bigint[])
         where (select is_held from lease)`,
        columns(transactions, (row) => [
          ...[row.hash, row.intentId, row.signer.toLowerCase(), row.nonce, row.raw],
          ...[row.validBefore, row.ownerId, row.chargedWei],
        ]),
        'insert into facilitator.transactions',
      )
    },

    /** Returns what was charged to an owner in the last 24 hours, and whether a payment of theirs was confirmed before. */
    async ownerFunding(ownerId: string): Promise<{ chargedWei: bigint; isEstablished: boolean }> {
      const { rows } = await session.query<{ charged_wei: string; is_established: boolean }>(
        'select charged_wei::text, is_established from facilitator.owner_funding($1)',
        [ownerId],
        'owner funding',
      )
      return { chargedWei: BigInt(rows[0]?.charged_wei ?? 0), isEstablished: rows[0]?.is_established === true }
    },
  }
}

/** A transaction, as stored. */
export interface TransactionRow {
  hash: Hex
  intent_id: string | null
  signer: Address
  nonce: string
  raw: Hex
  valid_before: string | null
  owner_id: string | null
  charged_wei: string
}

/** Returns a stored transaction in the form the code uses. */
export function toTransaction(row: TransactionRow): StoredTransaction {
  return {
    hash: row.hash,
    intentId: row.intent_id,
    signer: row.signer,
    nonce: Number(row.nonce),
    raw: row.raw,
    validBefore: row.valid_before === null ? null : BigInt(row.valid_before),
    ownerId: row.owner_id,
    chargedWei: BigInt(row.charged_wei),
  }
}
