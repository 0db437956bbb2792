import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { freePort } from '../../cli/machine/ports.ts'
import { Supervisor } from '../../cli/stack/internal/supervisor.ts'
import { serviceSpec } from '../../cli/stack/services.ts'
import { untilBooksMatch, untilNothingIsOpen } from '../e2e/books.ts'
import { completes, placeAndFund } from '../e2e/moves.ts'
import { type RpcProxy, startRpcProxy } from '../e2e/rpcProxy.ts'
import { createTrader, MODES, type Parties } from '../e2e/trading.ts'
import { mineBlocks } from '../kit/chain/payments.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'
import { changeFile, treeOf } from './upgrade/trees.ts'

/** Ponder takes a block for final when sixty have come after it, or thirty. */
const BEYOND_FINALITY = 100
const NO_LOGS = JSON.stringify({ jsonrpc: '2.0', id: 1, result: [] })
const UNDEFINED_TABLE = '42P01'
/** The schema whose rows the views show. */
const SHOWN = `select table_schema as schema from information_schema.view_table_usage
  where view_schema = 'chain' and view_name = '_ponder_checkpoint'`

// It takes a second indexer, for a minute.
const skip = process.env.MARKET_TEST_DEEP ? false : 'runs in test deep'
describe('while a new index fills beside the former one', { skip, timeout: 600_000 }, replacesIndex)

function replacesIndex() {
  let stack: Stack
  let tree: string
  let node: RpcProxy
  let supervisor: Supervisor
  let database: pg.Client
  let former: string | undefined
  const notices: string[] = []
  const began = Date.now()

  before(async () => {
    tree = await treeOf()
    await changeFile(tree, 'indexer/ponder.schema.ts', (text) =>
      text.replace("'holds',\n  (t) => ({", "'holds',\n  (t) => ({\n    remark: t.text(),"),
    )
    stack = await startStack()
    node = await startRpcProxy(stack.rpcUrl)
    supervisor = new Supervisor({ logDir: join(tree, 'logs'), onNotice: (notice) => notices.push(notice) })
    database = new pg.Client(stack.index.url)
    await database.connect()
    former = await shown()
  })

  after(async () => {
    await database?.end()
    await supervisor?.stop()
    node?.stop()
    await stack?.stop()
    if (tree) await rm(tree, { recursive: true, force: true })
  })

  const shown = async () => (await database.query<{ schema: string }>(SHOWN)).rows[0]?.schema
  const startNext = async () => {
    const settings = { ...stack.settings, rpcUrl: node.url, indexerPort: await freePort(), root: tree }
    await supervisor.start(serviceSpec('indexer', settings))
  }
  const parties = async (): Promise<Parties> => ({
    buyer: await createTrader(stack),
    seller: await createTrader(stack),
  })
  /** A whole trade in each mode, one after the other. Returns the time that the slowest took. */
  const trade = async () => {
    let slowestMs = 0
    for (const mode of MODES) {
      const started = Date.now()
      const both = await parties()
      await completes(both, (await placeAndFund(stack, both, mode)).urn)
      slowestMs = Math.max(slowestMs, Date.now() - started)
    }
    return slowestMs
  }
  const trades = (says: (what: string) => void) => {
    let isOver = false
    const done = { count: 0, slowestMs: 0 }
    const trading = (async () => {
      while (!isOver) {
        done.slowestMs = Math.max(done.slowestMs, await trade())
        done.count += MODES.length
      }
    })()
    trading.catch(() => {})
    return {
      done,
      atLeast: (more: number) => {
        const goal = done.count + more
        return until(
          `${more} more trades are done`,
          async () => done.count,
          (count) => count >= goal,
          { limitMs: 60_000 },
        )
      },
      end: async () => {
        isOver = true
        await trading
        says(`${done.count} trades, the slowest in ${done.slowestMs} ms`)
      },
    }
  }
  const diagnostics = (context: { diagnostic: (message: string) => void }) => (what: string) =>
    context.diagnostic(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${what}`)

  it('readers settle by the former one until the new one has caught up, and by the new one when the former ends', async (context) => {
    const says = diagnostics(context)
    const trading = trades(says)
    await trading.atLeast(2)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    node.intercept(async ({ method }, forward) => {
      if (method === 'eth_getLogs') await held
      return forward()
    })
    const started = startNext()
    started.catch(() => {})
    await until('the new index is filling', async () => (await schemas()).length === 2, Boolean, { limitMs: 60_000 })
    says('the new index fills')
    await trading.atLeast(4)
    expect(await shown()).to.equal(former)
    release()
    node.intercept(undefined)
    await started
    says('the new index has caught up')
    expect(await shown()).to.not.equal(former)
    await trading.atLeast(2)
    await stack.end('indexer')
    says('the former indexer has ended')
    await trading.atLeast(4)
    await trading.end()
    expect(notices).to.deep.equal([])
  })

  it('readers come back to the new one where the former showed itself again, and then ended', async (context) => {
    const says = diagnostics(context)
    const next = await shown()
    await stack.restart('indexer')
    expect(await shown()).to.equal(former)
    await stack.kill('indexer')
    const ended = Date.now()
    says('the former indexer had come again, and was killed')
    await trade()
    says(`trades go on after ${Date.now() - ended} ms`)
    expect(await shown()).to.equal(next)
  })

  it('a new one that its node left logs out of is found and built again, and the trades in it go on', async (context) => {
    const says = diagnostics(context)
    await mineBlocks(stack.chain, BEYOND_FINALITY)
    await supervisor.kill('indexer')
    await database.query(`drop schema ${await shown()} cascade`)
    await stack.restart('indexer')
    // What the former one read of the chain would be read again from there.
    await database.query('truncate ponder_sync.intervals, ponder_sync.logs')
    node.intercept(async ({ method }, forward) => (method === 'eth_getLogs' ? NO_LOGS : forward()))
    await startNext()
    node.intercept(undefined)
    says('the new index is ready, without the logs')
    expect((await payments())[0]).to.equal(0)
    const trading = trades(says)
    const isWhole = ([next, formers]: number[]) => next === formers && next !== 0
    await until('the new index has all', payments, isWhole, { limitMs: 60_000 })
    says('the new index is built again')
    expect(notices.join()).to.contain('the index is not what the chain shows')
    await trading.atLeast(2)
    await trading.end()
    await stack.end('indexer')
  })

  it('all is settled once', async () => {
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
  })

  const schemas = async () => {
    const { rows } = await database.query<{ name: string }>(
      'select nspname as name from pg_namespace where starts_with(nspname, $1) order by nspname = $2',
      [`indexer_${stack.chain.chainId}_`, former],
    )
    return rows.map(({ name }) => name)
  }
  /** How many payments each index has, the new one first. */
  const payments = async () => {
    const counts: number[] = []
    for (const name of await schemas()) {
      const counted = database.query<{ count: number }>(`select count(*)::int as count from ${name}.token_transfers`)
      // It is being built again.
      const { rows } = await counted.catch((error: pg.DatabaseError) => {
        if (error.code !== UNDEFINED_TABLE) throw error
        return { rows: [] }
      })
      counts.push(rows[0]?.count ?? 0)
    }
    return counts
  }
}
