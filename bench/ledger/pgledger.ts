import { readFile } from 'node:fs/promises'
import { delimiter } from 'node:path'
import pg from 'pg'
import type { Contestant } from './contest.ts'
import { upTo } from './tpcb.ts'

const ACCOUNTS = 100_000

/**
 * pgledger (github.com/pgr0ss/pgledger), from SQL files in the order they are to be read, separated as a PATH
 * is: the two of its vendor folder, then its own. A transfer between two of as many accounts as ours, by its
 * own function.
 */
export async function startPgledger(databaseUrl: string, files: string, clients: number): Promise<Contestant> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: clients,
    idleTimeoutMillis: 0,
    options: '-c search_path=pgledger',
  })
  await pool.query('create schema pgledger')
  for (const file of files.split(delimiter)) await pool.query(await readFile(file, 'utf8'))
  const { rows } = await pool.query<{ id: string }>(
    `select (pgledger_create_account('account ' || n, 'USD')).id from generate_series(1, ${ACCOUNTS}) n`,
  )
  const account = (index: number) => rows[(index - 1) % ACCOUNTS]?.id
  const transaction = async () => {
    const from = upTo(ACCOUNTS)
    await pool.query({
      name: 'transfer',
      text: 'select id from pgledger_create_transfer($1, $2, $3)',
      values: [account(from), account(from + upTo(ACCOUNTS - 1)), '0.000001'],
    })
    return 1
  }
  return { transaction, stop: () => pool.end() }
}
