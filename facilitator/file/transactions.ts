import { type Address, getAddress, type Hex, isAddress } from 'viem'
import type { StoredTransaction } from '../context/records.ts'
import type { AuthenticFile } from './internal/authenticFile.ts'
import { columns } from './internal/columns.ts'
import type { Session } from './session.ts'

/** The columns of a row, of a table aliased as transaction. */
export const COLUMNS = `transaction.hash, transaction.intent_id, transaction.signer, transaction.nonce, transaction.raw,
  transaction.valid_before, transaction.owner_id, transaction.charged_wei`

// Anybody who has the login may add rows, so every read is bounded. The oldest rows come first: a row that is
// added later hides none.
/** So many transactions of one intent are read: more than its fees can be raised. */
export const MOST_OF_INTENT = 200
/**
 * After so many rows that the signer did not sign, which take some seconds to verify, no more of its rows are
 * read.
 */
const MOST_FOREIGN = 2_000
/** Of so many signers that are not configured, so many rows are read. */
const [MOST_STRANGERS, MOST_OF_STRANGER] = [20, 100]

/**
 * The oldest rows of each of the next four nonces of a signer. Skips from one nonce to the next through the
 * index.
 */
const PAGE_OF_SIGNER = `
  with recursive nonces as (
    (select nonce from facilitator.transactions where signer = $1 and nonce between $2 and ${Number.MAX_SAFE_INTEGER} order by nonce limit 1)
    union all
    select (select next.nonce from facilitator.transactions next
            where next.signer = $1 and next.nonce > nonces.nonce and next.nonce <= ${Number.MAX_SAFE_INTEGER}
            order by next.nonce limit 1)
    from nonces where nonces.nonce is not null)
  select ${COLUMNS} from (select nonce from nonces where nonce is not null limit 4) wanted
  cross join lateral (
    select * from facilitator.transactions own where own.signer = $1 and own.nonce = wanted.nonce
    order by own.created_at limit 32) transaction
  order by transaction.nonce, transaction.created_at`

/** Skips from one signer to the next through the index. */
const OTHER_SIGNERS = `
  with recursive known as (
    (select signer from facilitator.transactions order by signer limit 1)
    union all
    select (select next.signer from facilitator.transactions next where next.signer > known.signer
            order by next.signer limit 1)
    from known where known.signer is not null)
  select signer from known where signer is not null and signer <> all ($1) limit $2`

/** Queries for the transactions on file. */
export function transactionStore(session: Session, file: AuthenticFile) {
  return {
    /**
     * Returns a signer's transactions from a nonce on, in signing order. Ends after too many rows that the
     * signer did not sign, or, of a key that may be a stranger's, after too many rows: what is not found is
     * sent again, and the chain accepts each call once.
     */
    async transactionsFrom(signer: Address, nonce: number, isOurs: boolean): Promise<StoredTransaction[]> {
      const found: StoredTransaction[] = []
      const most = isOurs ? MOST_FOREIGN : MOST_OF_STRANGER
      let [next, rowsRead] = [nonce, 0]
      while (rowsRead - (isOurs ? found.length : 0) < most) {
        const { rows } = await session.query<TransactionRow>(PAGE_OF_SIGNER, [signer.toLowerCase(), next])
        const last = rows.at(-1)
        if (!last) break
        found.push(...(await file.transactions(rows.map(toTransaction))))
        next = Number(last.nonce) + 1
        rowsRead += rows.length
      }
      return found
    },

    /**
     * Returns other keys that rows on file name as their signers, the first few. The rows are not verified.
     */
    async otherSigners(configured: readonly Address[]): Promise<Address[]> {
      const known = configured.map((address) => address.toLowerCase())
      const { rows } = await session.query<{ signer: string }>(OTHER_SIGNERS, [known, MOST_STRANGERS])
      return rows.flatMap(({ signer }) => (isAddress(signer) ? [getAddress(signer)] : []))
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

    /**
     * Returns what was charged to an owner in the last 24 hours, and whether a payment of theirs was
     * confirmed before.
     */
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
