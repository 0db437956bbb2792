import type { Address, Hex } from 'viem'
import type { PayoutAuthorization } from '../context/records.ts'
import type { Content, Entry, Place } from './fileChain.ts'
import { columns } from './internal/columns.ts'
import type { Session } from './session.ts'

type AuthorizationEntry = Entry<Content & { kind: 'authorization' }>
type IdentityEntry = Entry<Content & { kind: 'identity' }>

const PAGE = 500
/** The columns of a row of each table. */
export const AUTHORIZATION = `number, hash, previous, seal, nonce, leg, valid_before, recipient, amount_micros, signature,
  null::text as identity, null::bigint as signs_from`
export const IDENTITY = `number, hash, previous, seal, null::text as nonce, null::text as leg, null::bigint as valid_before,
  null::text as recipient, null::bigint as amount_micros, null::text as signature, identity, signs_from`
const BEFORE = 'where (number, hash) < ($1::bigint, $2::text) order by number desc, hash desc'
const IDENTITIES_BEFORE = `select ${IDENTITY} from facilitator.identities ${BEFORE}`
const ENTRIES_BEFORE = `
  select * from (
    (select ${AUTHORIZATION} from facilitator.authorizations ${BEFORE} limit $3)
    union all
    (${IDENTITIES_BEFORE} limit $3)) entries
  order by number desc, hash desc limit $3`
const VALID_BELOW = `
  select ${AUTHORIZATION} from facilitator.authorizations where valid_before > $2::bigint and number < $1::bigint
  order by valid_before limit $3`

/**
 * Queries for the file: the authorizations of the hot wallet, and the copies of the database that they were
 * written in.
 */
export function fileStore(session: Session) {
  return {
    /**
     * Returns the identity of the present database: server, timeline, database and table file. A restart
     * keeps all of them; each way of restoring a backup changes one, or is recorded.
     */
    async currentIdentity(): Promise<string> {
      const { rows } = await session.query<{ identity: string }>('select facilitator.current_identity() as identity')
      const [row] = rows
      if (!row) throw new Error('facilitator.current_identity() returned no row')
      return row.identity
    },

    /** Returns the entries before a place, newest first. They are not verified. */
    async entriesBefore({ number, hash }: Place): Promise<Entry[]> {
      const { rows } = await session.query<EntryRow>(ENTRIES_BEFORE, [number, hash, PAGE])
      return rows.map(toEntry)
    },

    /** Returns the identities before a place, newest first. They are not verified. */
    async identitiesBefore({ number, hash }: Place): Promise<Entry[]> {
      const { rows } = await session.query<EntryRow>(`${IDENTITIES_BEFORE} limit $3`, [number, hash, PAGE])
      return rows.map(toEntry)
    },

    /**
     * Returns authorizations below a number that are valid after a time (unix seconds), a few. They are not
     * verified.
     */
    async validBelow(number: bigint, after: bigint): Promise<Entry[]> {
      const { rows } = await session.query<EntryRow>(VALID_BELOW, [number, after, PAGE])
      return rows.map(toEntry)
    },

    /** Returns how many numbers have a row, of those from the first to the last. */
    async numbersBetween(first: bigint, last: bigint): Promise<bigint> {
      const { rows } = await session.query<{ numbers: string }>(
        `select count(*) as numbers from (
           select number from facilitator.authorizations where number between $1 and $2
           union select number from facilitator.identities where number between $1 and $2) numbered`,
        [first, last],
      )
      return BigInt(rows[0]?.numbers ?? 0)
    },

    /** Adds authorizations to the file in one statement: all are on file when it returns, or none is. */
    async addAuthorizations(entries: readonly AuthorizationEntry[]): Promise<void> {
      await session.write(
        `insert into facilitator.authorizations
           (number, previous, nonce, leg, valid_before, recipient, amount_micros, signature, hash, seal)
         select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
           $8::text[], $9::text[], $10::text[])
         where (select is_held from lease)`,
        columns(entries, ({ number, previous, hash, seal, content: { authorization } }) => [
          ...[number, previous, authorization.nonce, authorization.leg, authorization.validBefore],
          ...[authorization.recipient.toLowerCase(), authorization.amountMicros, authorization.signature, hash, seal],
        ]),
        'insert into facilitator.authorizations',
      )
    },

    async addIdentity({
      number,
      previous,
      hash,
      seal,
      content: { identity, signsFrom },
    }: IdentityEntry): Promise<void> {
      await session.write(
        `insert into facilitator.identities (number, previous, identity, signs_from, hash, seal)
         select $1::bigint, $2, $3, $4::bigint, $5, $6 where (select is_held from lease)`,
        [number, previous, identity, signsFrom, hash, seal],
        'insert into facilitator.identities',
      )
    },
  }
}

/** A row of either table: the columns of the other are null. */
export interface EntryRow {
  number: string
  hash: Hex
  previous: Hex
  seal: Hex
  nonce: Hex
  leg: PayoutAuthorization['leg']
  valid_before: string
  recipient: Address
  amount_micros: string
  signature: Hex
  identity: string | null
  signs_from: string
}

/** Returns the entry that a row holds. */
export function toEntry({ number, previous, hash, seal, identity, signs_from: signsFrom, ...row }: EntryRow): Entry {
  const place = { number: BigInt(number), previous, hash, seal }
  if (identity !== null) return { ...place, content: { kind: 'identity', identity, signsFrom: BigInt(signsFrom) } }
  const { nonce, leg, recipient, signature } = row
  const [validBefore, amountMicros] = [BigInt(row.valid_before), BigInt(row.amount_micros)]
  const authorization = { nonce, leg, recipient, signature, validBefore, amountMicros }
  return { ...place, content: { kind: 'authorization', authorization } }
}
