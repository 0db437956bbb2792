import type { Address, Hex } from 'viem'
import type { PayoutAuthorization } from '../context/records.ts'
import { columns } from './columns.ts'
import type { Content, Entry } from './fileChain.ts'
import type { Session } from './session.ts'

type AuthorizationEntry = Entry<Content & { kind: 'authorization' }>
type IdentityEntry = Entry<Content & { kind: 'identity' }>

/** Rows of the file, and the number from which on all were read. */
export interface FileRows {
  rows: Entry[]
  lowest: bigint
}

/** Queries for the file: the authorizations of the hot wallet, and the copies of the database that they were written in. */
export function fileStore(session: Session) {
  return {
    /**
     * Returns the identity of the present database: server, timeline, database and table file. A restart keeps all of
     * them; each way of restoring a backup changes one, or is recorded.
     */
    async currentIdentity(): Promise<string> {
      const { rows } = await session.query<{ identity: string }>('select facilitator.current_identity() as identity')
      const [row] = rows
      if (!row) throw new Error('facilitator.current_identity() returned no row')
      return row.identity
    },

    /**
     * Returns all identities, and all rows from the first authorization on that is valid after a time (unix seconds), or
     * the newest row.
     */
    async fileRows(after: bigint): Promise<FileRows> {
      const { rows: bounds } = await session.query<{ lowest: string | null }>(
        `select least(
           (select min(number) from facilitator.authorizations where valid_before > $1),
           greatest((select max(number) from facilitator.authorizations), (select max(number) from facilitator.identities))
         ) as lowest`,
        [after],
      )
      const lowest = BigInt(bounds[0]?.lowest ?? 0)
      const { rows: authorizations } = await session.query<AuthorizationRow>(
        `select number, previous, nonce, leg, valid_before, recipient, amount_micros, signature, hash, seal
         from facilitator.authorizations where number >= $1`,
        [lowest],
      )
      const { rows: identities } = await session.query<IdentityRow>(
        'select number, previous, identity, signs_from, hash, seal from facilitator.identities',
      )
      return { rows: [...authorizations.map(toAuthorization), ...identities.map(toIdentity)], lowest }
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

interface PlaceRow {
  number: string
  previous: Hex
  hash: Hex
  seal: Hex
}

interface AuthorizationRow extends PlaceRow {
  nonce: Hex
  leg: PayoutAuthorization['leg']
  valid_before: string
  recipient: Address
  amount_micros: string
  signature: Hex
}

interface IdentityRow extends PlaceRow {
  identity: string
  signs_from: string
}

function toAuthorization({ number, previous, hash, seal, ...row }: AuthorizationRow): Entry {
  const { nonce, leg, recipient, signature } = row
  const [validBefore, amountMicros] = [BigInt(row.valid_before), BigInt(row.amount_micros)]
  const authorization = { nonce, leg, recipient, signature, validBefore, amountMicros }
  return { number: BigInt(number), previous, hash, seal, content: { kind: 'authorization', authorization } }
}

function toIdentity({ number, previous, hash, seal, identity, signs_from: signsFrom }: IdentityRow): Entry {
  const content = { kind: 'identity', identity, signsFrom: BigInt(signsFrom) } as const
  return { number: BigInt(number), previous, hash, seal, content }
}
