import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import type { ProcessSpec, StartedProcess } from '../../../cli/machine/process.ts'
import { readIndexerEnvironment } from '../../../indexer/env.ts'
import { requireSameChain } from '../../../indexer/schemaName.ts'
import { openStallDetector } from '../../../indexer/stallDetector.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, signForCustody, submitToToken } from '../../kit/chain/payments.ts'
import {
  endIndexer,
  indexed,
  indexerSpec,
  launchIndexer,
  startIndexer,
  untilOutput,
  untilServes,
} from '../../kit/indexer/indexer.ts'
import { startIndexDatabase, type TestIndex } from '../../kit/stack/indexDatabase.ts'
import { until } from '../../kit/until.ts'

const HELD_MS = 20_000

// One indexer after the other on one index, as in production: each goes on where the one before was ended.
describe('the indexer as a process', { timeout: 300_000 }, () => {
  let chain: TestChain
  let database: TestIndex
  let client: pg.Client
  let spec: ProcessSpec
  let running: StartedProcess
  const buyer = freeAccount(0)

  const deposit = async () => submitToToken(chain, await signForCustody(chain, buyer, 1_000_000n))
  const indexedHashes = async () => {
    const query = 'select transaction_hash from chain.token_transfers order by block_number, log_index'
    const rows = await indexed<{ transaction_hash: string }>(chain, client, query)
    return rows.map((row) => row.transaction_hash)
  }

  before(async () => {
    ;[chain, database] = await Promise.all([startChain(), startIndexDatabase()])
    await mintUsdc(chain, buyer.address, 1_000_000_000n)
    spec = await indexerSpec(chain, database)
    running = await startIndexer(spec)
    client = new pg.Client(database.url)
    await client.connect()
  })

  after(async () => {
    await client.end()
    await endIndexer(running, 'SIGKILL')
    await chain.stop()
    await database.stop()
  })

  test('follows a reorganisation: the rows of the abandoned blocks go, and their places are the new ones', async () => {
    const snapshot = await chain.client.snapshot()
    const abandoned = await deposit()
    expect(await indexedHashes()).to.include(abandoned.transactionHash)
    await chain.client.revert({ id: snapshot })
    await mineBlocks(chain, 1)
    const kept = await deposit()
    await mineBlocks(chain, 1)
    const hashes = await indexedHashes()
    expect(hashes).to.include(kept.transactionHash)
    expect(hashes).to.not.include(abandoned.transactionHash)
  })

  test('goes on at once after kill -9, with nothing lost or doubled', async () => {
    const before = await deposit()
    expect(await indexedHashes()).to.include(before.transactionHash)
    await endIndexer(running, 'SIGKILL')
    const missed = await deposit()
    running = await startIndexer(spec)
    // Ponder's own lock outlives a killed process by 25 seconds.
    expect(running.output()).to.not.contain('is locked')
    const hashes = await indexedHashes()
    expect(hashes).to.include.members([before.transactionHash, missed.transactionHash])
    expect(new Set(hashes).size).to.equal(hashes.length)
  })

  const SESSIONS = 'pid <> pg_backend_pid() and datname = current_database()'
  const guarded =
    "select from pg_locks where locktype = 'advisory' and granted and pid in (select pid from pg_stat_activity where datname = current_database())"

  test('goes on when its database sessions are cut, again and again', async () => {
    for (let cut = 0; cut < 3; cut++) {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${SESSIONS}`)
      await until('a session guards the schema', async () => (await client.query(guarded)).rowCount === 1)
      const receipt = await deposit()
      expect(await indexedHashes()).to.include(receipt.transactionHash)
    }
    const hashes = await indexedHashes()
    expect(new Set(hashes).size).to.equal(hashes.length)
    // The process that was started, and no successor.
    process.kill(running.pid, 0)
    expect(running.output()).to.contain('a new database session guards the schema')
  })

  test('is followed at once by a second one that stood by', async () => {
    const second = await indexerSpec(chain, database)
    const standby = startIndexer(second)
    await untilOutput(second, 'standing by')
    await endIndexer(running, 'SIGKILL')
    running = await standby
    const receipt = await deposit()
    expect(await indexedHashes()).to.include(receipt.transactionHash)
  })

  for (const [name, meanwhile] of [
    ['another has taken the schema over', 'select pg_advisory_lock(hashtextextended($1, 0))'],
    [
      'the server has lost what was written last',
      // As Postgres does to an unlogged table when it has crashed.
      'delete from indexer_guard.holders where schema = $1',
    ],
  ] as const) {
    test(`ends when its session is cut and ${name}`, async () => {
      const { rows } = await client.query<{ schema: string }>('select schema from indexer_guard.holders')
      const other = new pg.Client(database.url)
      await other.connect()
      // A lock that is waited for is the next one's, before the indexer can ask.
      const acted = other.query(meanwhile, [rows[0]?.schema])
      if (meanwhile.startsWith('delete')) await acted
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where ${SESSIONS} and application_name like 'indexer\\_%'`)
      expect(await running.ended).to.equal('exit code 75')
      await acted
      await other.end()
      running = await startIndexer(spec)
      const receipt = await deposit()
      expect(await indexedHashes()).to.include(receipt.transactionHash)
    })
  }

  test('is not taken for stalled while its start takes long, whatever the process before it has left', async () => {
    await endIndexer(running, 'SIGKILL')
    const { rows } = await client.query<{ schema: string }>('select schema from indexer_guard.holders')
    const holder = new pg.Client(database.url)
    await holder.connect()
    await holder.query('begin')
    // Ponder first drops the triggers of its tables, for which it waits.
    await holder.query(
      `lock table ${pg.escapeIdentifier(String(rows[0]?.schema))}.token_transfers in access share mode`,
    )
    await mineBlocks(chain, 3)
    const started = launchIndexer(spec)
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await until('Ponder waits', async () => (await client.query(waiting)).rowCount !== 0)
    // Every two seconds it is looked at; six looks were enough to end it.
    const end = await Promise.race([started.ended, delay(HELD_MS, 'none')])
    await holder.query('commit')
    await holder.end()
    expect(end).to.equal('none')
    running = await untilServes(spec, started)
    const receipt = await deposit()
    expect(await indexedHashes()).to.include(receipt.transactionHash)
  })

  test('is given twice the time to follow the chain after each unsuccessful restart, until it has caught up', async () => {
    await endIndexer(running, 'SIGKILL')
    const { rows } = await client.query<{ schema: string }>('select schema from indexer_guard.holders')
    const schema = String(rows[0]?.schema)
    await mineBlocks(chain, 1)
    const index = { env: readIndexerEnvironment(spec.env), client: chain.client, schema }
    const looksUntilStalled = async () => {
      const isStalled = openStallDetector(index)
      for (let look = 1; look <= 50; look++) if (await isStalled(client)) return look
      return undefined
    }
    const lives = [await looksUntilStalled(), await looksUntilStalled(), await looksUntilStalled()]
    expect(lives).to.deep.equal([7, 13, 25])
    running = await startIndexer(spec)
    await deposit()
    await until('it has followed', async () => {
      await mineBlocks(chain, 1)
      return (await client.query('select from indexer_final.stalls')).rowCount === 0
    })
  })

  test('ends cleanly on SIGTERM, its schema unlocked', async () => {
    expect(await endIndexer(running, 'SIGTERM')).to.equal('exit code 0')
    const query = "select value->>'is_locked' as locked from chain._ponder_meta where key = 'app'"
    expect((await client.query(query)).rows).to.deep.equal([{ locked: '0' }])
  })

  test('refuses a database that indexed another chain with the same id [risk index-other-chain]', async () => {
    const failure = await requireSameChain(client, chain.chainId, '0x0123456789').then(
      () => 'none',
      (error: Error) => error.message,
    )
    expect(failure).to.contain('a new chain needs a new database')
    await requireSameChain(client, 1, '0x0123456789')
  })

  test('names every variable that is missing or wrong', () => {
    const reading = () => readIndexerEnvironment({ ...spec.env, RPC_URL: '', ESCROW_ADDRESS: '0x12' })
    expect(reading).to.throw('RPC_URL: is not set')
    expect(reading).to.throw('ESCROW_ADDRESS: must be an address')
  })
})
