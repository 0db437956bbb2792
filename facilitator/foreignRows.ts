import pg from 'pg'
import { type Address, isAddressEqual } from 'viem'
import { isSignedTransaction } from './file/authenticity.ts'
import { type FileOwner, sealedRows } from './file/fileChain.ts'
import { AUTHORIZATION, type EntryRow, IDENTITY, toEntry } from './file/fileRows.ts'
import { type FirstSightRow, SIGHT, toFirstSight } from './file/firstSights.ts'
import { COLUMNS, type TransactionRow, toTransaction } from './file/transactions.ts'
import { toWalletSight, WALLET_SIGHT, type WalletSightRow } from './file/walletSights.ts'
import { isOurSight } from './proof/knownWallets.ts'
import { isOurs } from './proof/unproved.ts'

const PAGE = 1_000
const CHECK_VIOLATION = '23514'

/** The addresses whose signatures make a row ours. */
export interface OwnAddresses extends FileOwner {
  /** All keys that ever sent a transaction. */
  senders: readonly Address[]
}

/** The rows of a table, and those of them that no key of ours signed. */
export interface ForeignRows {
  table: string
  rows: number
  foreign: number
}

interface SignedTable {
  name: string
  columns: string
  isOurs: (row: pg.QueryResultRow, own: OwnAddresses) => Promise<boolean>
}

const isSealed = async (row: pg.QueryResultRow, own: OwnAddresses) =>
  (await sealedRows(own, [toEntry(row as EntryRow)])).length === 1

// First the identities: every facilitator adds one before anything else, so a file without any of ours is
// another wallet's.
const TABLES: readonly SignedTable[] = [
  { name: 'identities', columns: IDENTITY, isOurs: isSealed },
  { name: 'authorizations', columns: AUTHORIZATION, isOurs: isSealed },
  {
    name: 'first_sights',
    columns: SIGHT,
    isOurs: (row, { at }) => isOurs(toFirstSight(row as FirstSightRow), at.hotWallet),
  },
  {
    name: 'wallet_sights',
    columns: WALLET_SIGHT,
    isOurs: (row, { at }) => isOurSight(toWalletSight(row as WalletSightRow), at, at.hotWallet),
  },
  {
    name: 'transactions',
    columns: COLUMNS,
    async isOurs(row, { at, senders }) {
      const transaction = toTransaction(row as TransactionRow)
      if (!(await isSignedTransaction(transaction, at.chainId))) return false
      return senders.some((sender) => isAddressEqual(sender, transaction.signer))
    },
  },
]

/**
 * Counts the rows of the facilitator's file that no key of ours signed, table by table, and removes them if
 * asked to, although the tables are append-only: only their owner may. Outcomes of no intent count as
 * foreign. Throws, removing nothing, if no identity is sealed by the hot wallet, because the addresses are
 * then of another file.
 */
export async function* foreignRows(
  databaseUrl: string,
  own: OwnAddresses,
  { isRemoval }: { isRemoval: boolean },
): AsyncGenerator<ForeignRows> {
  const [reader, owner] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
  try {
    for (const client of [reader, owner]) {
      await client.connect()
      await client.query(`set search_path = ''`)
    }
    for (const table of TABLES) {
      const found = await countForeign(reader, table, own, async (places) => {
        if (isRemoval && table.name !== 'identities') await remove(owner, table.name, places)
      })
      if (table.name === 'identities' && found.rows > 0 && found.rows === found.foreign) throw new Error(OTHER_FILE)
      // The identities are removed when one is known to be ours.
      if (isRemoval && table.name === 'identities')
        await countForeign(reader, table, own, (places) => remove(owner, table.name, places))
      yield found
    }
    yield await outcomesOfNothing(owner, isRemoval)
    if (isRemoval) await validate(owner)
  } finally {
    for (const client of [reader, owner]) await client.end().catch(() => {})
  }
}

const OTHER_FILE =
  'no row of facilitator.identities is sealed by this hot wallet for this chain and token: check CHAIN_ID, TOKEN_ADDRESS and HOT_WALLET_ADDRESS'

/** The reader's snapshot keeps the place of each row until all are read. */
async function countForeign(
  reader: pg.Client,
  { name, columns, isOurs: isOwn }: SignedTable,
  own: OwnAddresses,
  onForeign: (places: readonly string[]) => Promise<void>,
): Promise<ForeignRows> {
  const found = { table: `facilitator.${name}`, rows: 0, foreign: 0 }
  await reader.query('begin')
  await reader.query(
    `declare file no scroll cursor for select transaction.ctid::text as place, ${columns} from facilitator.${name} transaction`,
  )
  for (;;) {
    const { rows } = await reader.query<pg.QueryResultRow & { place: string }>(`fetch ${PAGE} from file`)
    if (rows.length === 0) break
    const foreign: string[] = []
    for (const row of rows) if (!(await isOwn(row, own))) foreign.push(row.place)
    if (foreign.length > 0) await onForeign(foreign)
    found.rows += rows.length
    found.foreign += foreign.length
  }
  await reader.query('rollback')
  return found
}

/**
 * Adding rows waits for a moment: a trigger that refuses a deletion can be disabled for the whole table only.
 */
async function remove(owner: pg.Client, name: string, places: readonly string[]): Promise<void> {
  await unguarded(owner, name, () =>
    owner.query(`delete from facilitator.${name} where ctid = any ($1::tid[])`, [places]),
  )
}

async function unguarded<Result>(owner: pg.Client, name: string, work: () => Promise<Result>): Promise<Result> {
  await owner.query('begin')
  await owner.query(`alter table facilitator.${name} disable trigger ${name}_immutable`)
  const result = await work()
  await owner.query(`alter table facilitator.${name} enable trigger ${name}_immutable`)
  await owner.query('commit')
  return result
}

/** The worker acts on every outcome of an existing intent, also on one that the facilitator did not write. */
async function outcomesOfNothing(owner: pg.Client, isRemoval: boolean): Promise<ForeignRows> {
  const ofNothing = 'not exists (select from market.intents intent where intent.id = outcome.intent_id)'
  const { rows } = await owner.query<{ rows: string; foreign: string }>(
    `select count(*) as rows, count(*) filter (where ${ofNothing}) as foreign from facilitator.outcomes outcome`,
  )
  if (isRemoval)
    await unguarded(owner, 'outcomes', () => owner.query(`delete from facilitator.outcomes outcome where ${ofNothing}`))
  return { table: 'facilitator.outcomes', rows: Number(rows[0]?.rows), foreign: Number(rows[0]?.foreign) }
}

/** Has the constraints that a migration could not validate count for all rows. */
async function validate(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ relation: string; name: string }>(
    `select conrelid::regclass::text as relation, quote_ident(conname) as name from pg_constraint
     where connamespace = 'facilitator'::regnamespace and contype = 'c' and not convalidated`,
  )
  for (const { relation, name } of rows) {
    await owner.query(`alter table ${relation} validate constraint ${name}`).catch((error: pg.DatabaseError) => {
      if (error.code !== CHECK_VIOLATION) throw error
    })
  }
}
