import { execFile } from 'node:child_process'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { schema } from '../../api/schema.ts'
import { freePort } from '../../cli/machine/ports.ts'
import { Supervisor } from '../../cli/stack/internal/supervisor.ts'
import { apiUrl, type ServiceName, serviceSpec } from '../../cli/stack/services.ts'
import { readReleases } from '../../cli/tools/internal/releases.ts'
import { untilBooksMatch, untilNothingIsOpen } from '../e2e/books.ts'
import { completes, placeAndFund } from '../e2e/moves.ts'
import { createTrader, MODES, type Parties } from '../e2e/trading.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { changeFile, treeOf } from './upgrade/trees.ts'

const NEXT = `${schema.version}-next`
const NUMBER = schema.migrations.length
const named = (offset: number, words: string) => `${String(NUMBER + offset).padStart(4, '0')}_${words}.sql`

/**
 * The next version calls a column otherwise that every delivery writes, and that a job of the worker reads
 * and empties.
 */
const MIGRATIONS = {
  [named(1, 'add_prompt_at')]: `
    alter table market.orders add prompt_at timestamptz;
    update market.orders set prompt_at = remind_at where remind_at is not null;
    create function market.keep_prompt() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
    begin
      if new.remind_at is distinct from old.remind_at then new.prompt_at := new.remind_at;
      elsif new.prompt_at is distinct from old.prompt_at then new.remind_at := new.prompt_at;
      end if;
      return new;
    end $$;
    create trigger orders_prompt before update on market.orders for each row execute function market.keep_prompt()`,
  [named(2, 'orders_unprompted.concurrent')]: `
    create index concurrently orders_unprompted on market.orders (prompt_at) where state = 'delivered'`,
  [named(3, 'drop_remind_at.contract')]: `
    drop trigger orders_prompt on market.orders;
    drop function market.keep_prompt();
    alter table market.orders drop remind_at`,
}
const REPLACED: readonly ServiceName[] = ['worker', 'api', 'facilitator']

/**
 * Two versions of which one replaces the other, as trees: the newest one that was released and this one; this
 * one and a next one.
 */
const STEPS = {
  'while this version replaces the one that was released': { former: releasedTree, next: treeOf },
  'while the next version replaces this one': { former: treeOf, next: nextTree },
}

// Each takes a second set of processes, for a minute.
const skip = process.env.MARKET_TEST_DEEP ? false : 'runs in test deep'
for (const [title, { former, next }] of Object.entries(STEPS))
  describe(title, { skip, timeout: 600_000 }, () => replaces(former, next))

function replaces(formerTree: () => Promise<string>, followingTree: () => Promise<string>) {
  let stack: Stack
  let former: string
  let tree: string
  let supervisor: Supervisor
  let nextUrl: string
  const problems: unknown[] = []

  before(async () => {
    ;[former, tree] = await Promise.all([formerTree(), followingTree()])
    stack = await startStack({ root: former })
    supervisor = new Supervisor({ logDir: join(tree, 'logs'), onNotice: (notice) => problems.push(notice) })
  })

  after(async () => {
    await supervisor?.stop()
    await stack?.stop()
    for (const folder of [former, tree]) if (folder) await rm(folder, { recursive: true, force: true })
  })

  const migrate = (...flags: string[]) =>
    promisify(execFile)(process.execPath, [join(tree, 'cli/main.ts'), 'migrate', ...flags], {
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: stack.databaseUrl, INDEX_DATABASE_URL: stack.index.url },
    }).then(
      () => 'done',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )
  /** Trades one after the other, in turn in each mode, until it is told to stop. Returns how many. */
  const tradesOf = (parties: Parties) => {
    let isOver = false
    const trading = (async () => {
      let trades = 0
      for (; !isOver; trades++) {
        const { urn } = await placeAndFund(stack, parties, trades % 2 ? 'contract' : 'custodied')
        await completes(parties, urn)
      }
      return trades
    })()
    trading.catch((error: unknown) => problems.push(error))
    return {
      end: () => {
        isOver = true
        return trading
      },
    }
  }
  const start = async (name: ServiceName) => {
    const apiPort = await freePort()
    const extra = { ...stack.settings.extra, BASE_URL: stack.baseUrl }
    const spec = serviceSpec(name, { ...stack.settings, apiPort, root: tree, extra })
    await supervisor.start(spec)
    if (name === 'api') nextUrl = apiUrl({ apiPort })
  }
  const partiesAt = async (buyerUrl: string, sellerUrl: string): Promise<Parties> => ({
    buyer: await createTrader({ ...stack, baseUrl: buyerUrl }),
    seller: await createTrader({ ...stack, baseUrl: sellerUrl }),
  })

  it('trades go on, none is lost and none fails, and nothing is removed while the former version runs', async (context) => {
    const began = Date.now()
    const says = (what: string) => context.diagnostic(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${what}`)
    const old = tradesOf(await partiesAt(stack.baseUrl, stack.baseUrl))
    says('trades run on the former version')
    expect(await migrate()).to.equal('done')
    says('migrated beside it')
    await stack.kill('facilitator')
    await stack.restart('facilitator')
    // What a sandbox warns of, a former version refuses elsewhere.
    expect(stack.log('facilitator')).to.not.include('database role')
    says('the former facilitator starts in it')
    for (const name of REPLACED) await start(name)
    says('the next version runs beside it')
    const mixed = [tradesOf(await partiesAt(nextUrl, stack.baseUrl)), tradesOf(await partiesAt(stack.baseUrl, nextUrl))]
    const next = tradesOf(await partiesAt(nextUrl, nextUrl))
    expect(await migrate('--contract')).to.contain(`market-api ${await versionOf(former)}`)
    // A whole trade of each mode across both.
    for (const mode of MODES) {
      const parties = await partiesAt(nextUrl, stack.baseUrl)
      await completes(parties, (await placeAndFund(stack, parties, mode)).urn)
    }
    const before = [await old.end(), ...(await Promise.all(mixed.map((each) => each.end())))]
    says(`${before.join(', ')} trades on the former, and across both`)
    for (const name of REPLACED) await stack.end(name)
    says('the former version has ended')
    expect(await migrate('--contract')).to.equal('done')
    says('contracted')
    const parties = await partiesAt(nextUrl, nextUrl)
    for (const mode of MODES) await completes(parties, (await placeAndFund(stack, parties, mode)).urn)
    const trades = await next.end()
    says(`${trades} trades on the next version, and two after it was contracted`)
    expect([...before, trades].every((count) => count > 0)).to.equal(true)
    expect(problems).to.deep.equal([])
    for (const name of REPLACED)
      expect(
        supervisor
          .output(name)
          .split('\n')
          .filter((line) => /"level":(50|60)/.test(line)),
      ).to.deep.equal([])
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    says('the books match the chain')
  })
}

/** The newest version that was released before this one. */
function releasedTree(): Promise<string> {
  const released = readReleases().findLast(({ version }) => version !== schema.version)
  if (!released) throw new Error('no version was released before this one')
  return treeOf(released.commit)
}

async function versionOf(tree: string): Promise<string> {
  return JSON.parse(await readFile(join(tree, 'package.json'), 'utf8')).version
}

/** This tree as the next version would be. */
async function nextTree(): Promise<string> {
  const tree = await treeOf()
  await changeFile(tree, 'package.json', (text) => JSON.stringify({ ...JSON.parse(text), version: NEXT }))
  const folder = join(tree, 'api/migrations', NEXT)
  await mkdir(folder)
  for (const [name, text] of Object.entries(MIGRATIONS)) await writeFile(join(folder, name), text.trim())
  for await (const path of glob('api/trading/orders/**/*.ts', { cwd: tree })) {
    const text = await readFile(join(tree, path), 'utf8')
    await writeFile(join(tree, path), text.replaceAll(/\bremind_at\b/g, 'prompt_at'))
  }
  return tree
}
