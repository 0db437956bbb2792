import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Hex } from 'viem'
import { Unfit } from '../protocol/environment/databaseFaults.ts'
import type { IndexerEnvironment } from './env.ts'

/** The schema with the views that every reader uses, whichever schema has the rows. */
export const VIEWS_SCHEMA = 'chain'

const HASH_LENGTH = 10
const ROOT = new URL('../', import.meta.url)
// Everything that determines the form of a row.
const SOURCES = ['indexer/ponder.*.ts', 'indexer/src/**/*.ts', 'protocol/generated/*.ts', 'protocol/payments/terms.ts']
const PONDER_MANIFEST = new URL('../../package.json', import.meta.resolve('ponder'))

/**
 * Returns the prefix of every schema of this chain's index. Chains with the same id differ by their first
 * block.
 */
function schemaPrefix(chainId: number): string {
  return `indexer_${chainId}_`
}

/**
 * Returns the database schema that this build writes for this chain and these addresses. Ponder refuses a
 * schema that another build wrote, so each build has its own, and a build that returns continues where it
 * was. At most 45 characters, Ponder's limit.
 */
export async function schemaName(env: IndexerEnvironment, genesisHash: Hex): Promise<string> {
  return `${schemaPrefix(env.CHAIN_ID)}${chainName(genesisHash)}_${await buildHash(env)}`
}

/** Throws Unfit if this database holds the index of another chain with the same id: their rows would mix. */
export async function requireSameChain(client: pg.Client, chainId: number, genesisHash: Hex): Promise<void> {
  const prefix = schemaPrefix(chainId)
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace
     where starts_with(nspname, $1) and not starts_with(nspname, $2) order by oid limit 1`,
    [prefix, `${prefix}${chainName(genesisHash)}_`],
  )
  const [other] = rows
  if (other)
    throw new Unfit(
      `this database indexed another chain with id ${chainId} (schema ${other.name}): a new chain needs a new database`,
    )
}

function chainName(genesisHash: Hex): string {
  return genesisHash.slice(2, 2 + HASH_LENGTH)
}

async function buildHash(env: IndexerEnvironment): Promise<string> {
  const hash = createHash('sha256')
  const { version } = JSON.parse(await readFile(PONDER_MANIFEST, 'utf8')) as { version: string }
  hash.update([version, env.ESCROW_ADDRESS, env.TOKEN_ADDRESS, env.HOT_WALLET_ADDRESS, env.START_BLOCK].join())
  const files = (await Array.fromAsync(glob(SOURCES, { cwd: ROOT }))).sort()
  for (const file of files) hash.update(`\0${file}\0`).update(await readFile(new URL(file, ROOT)))
  return hash.digest('hex').slice(0, HASH_LENGTH)
}
