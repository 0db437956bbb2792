import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { createHuman } from '../../api/identity/accounts/createHuman.ts'
import { issueToken } from '../../api/identity/tokens/mint.ts'
import { NO_LIMIT } from '../../api/identity/tokens/spendLimit.ts'
import { endStop, standingStops } from '../../api/payments/stops/administer.ts'
import { openOwnerPool } from '../../api/platform/db/searchPath.ts'
import { reactions } from '../../api/reactions.ts'
import { answersOk } from '../../cli/machine/http.ts'
import { enableIndexRoles, enableRoles } from '../../cli/stack/postgres/roleLogins.ts'
import { chainSettings, SERVICES } from '../../cli/stack/services.ts'
import { createMarket } from '../../sdk/market.ts'
import {
  accept,
  createParties,
  deliver,
  fund,
  MODES,
  type Mode,
  place,
  sign,
  untilOrder,
  untilSettled,
} from '../e2e/trading.ts'
import { fillWithJunk, type Reach, type Taken } from '../kit/stack/junk.ts'
import { beyond, privilegesOf } from '../kit/stack/privileges.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'

const QUARTER_HOUR_SECONDS = 910

/** A login that was stolen. */
interface Theft {
  login: string
  isOfIndex?: true
  reach: Reach
  url: (stack: Stack) => string
  /** The thief tries only what this login may not do. */
  beyond?: string
}

// A service whose own rows were all overwritten needs a restore. So a thief of the service's logins adds
// rows, changes and deletes those, and overwrites the tables that can have a single row.
const THEFTS: Readonly<Record<string, readonly Theft[]>> = {
  'every login but that of the indexer': [
    { login: 'market_facilitator', reach: 'all rows', url: ({ database }) => database.roleUrls.facilitator },
    { login: 'market_index_reader', isOfIndex: true, reach: 'all rows', url: ({ index }) => index.indexUrls.reader },
    { login: 'market_api', reach: 'own rows', url: ({ database }) => database.roleUrls.api },
    {
      login: 'market_worker',
      reach: 'own rows',
      beyond: 'market_api',
      url: ({ database }) => database.roleUrls.worker,
    },
  ],
  // Its cure removes all that anybody wrote into the index.
  'the login of the indexer': [
    { login: 'market_indexer', isOfIndex: true, reach: 'all rows', url: ({ index }) => index.indexUrls.indexer },
  ],
}

/** What no thief tries here, and why. */
const UNTRIED: Readonly<Record<string, string>> = {
  'sandbox.clock': 'only a sandbox has it, and a service that is none refuses to start with it',
}

const REFERENCES = 'its rows need rows of other tables that belong together, which this junk does not make'

/** Tables that take none of this junk, and why. Any other table must take some. */
const REFUSED: Readonly<Record<string, string>> = {
  'market.audit_heads':
    'it takes heads from the worker alone once it has one; test/api/platform/audit/stolenLogin.test.ts adds some',
  'market.payouts': 'each needs a deposit of its own; test/api/payments/reserve/hotWallet.test.ts adds some',
  'market.attachment_versions': REFERENCES,
  'market.previews': REFERENCES,
  'market.task_files': REFERENCES,
  'market.signing_keys': 'it takes a new key where a purpose has none; test/api/keyRotation/rotate.test.ts adds some',
}

describe('a login to the database that was stolen, and is revoked', { timeout: 1_200_000 }, () => {
  let stack: Stack
  let owner: pg.Pool
  let index: pg.Pool

  before(async () => {
    stack = await startStack({ ownPostgres: true })
    owner = new pg.Pool({ connectionString: stack.databaseUrl })
    owner.on('error', () => {})
    index = new pg.Pool({ connectionString: stack.index.url })
    index.on('error', () => {})
    await Promise.all(MODES.map(trade))
  })
  after(async () => {
    await owner?.end()
    await index?.end()
    await stack?.stop()
  })

  /** A trade of two new people, from the order to the money. */
  async function trade(mode: Mode): Promise<void> {
    const parties = await createParties(stack)
    const order = await place(parties, { mode })
    await fund(parties.buyer, order.urn, await sign(stack, order.offer, parties.buyer.account))
    await deliver(parties.seller, await untilOrder(parties.buyer, order.urn, 'funded'))
    await accept(parties.buyer, order.urn)
    await untilSettled(parties.buyer, order.urn)
  }

  /** As the database's owner appoints one: the thief may have removed every token. */
  async function newOperator(): Promise<{ id: string; token: string }> {
    const db = await openOwnerPool(stack.databaseUrl)
    try {
      return await db.transaction().execute(async (tx) => {
        const settings = { chain: chainSettings(stack.chain), reactions }
        const email = `${crypto.randomUUID()}@market.invalid`
        const human = await createHuman(tx, settings, {
          displayName: 'Operator',
          email,
          role: 'operator',
          createdBy: null,
        })
        const scopes = ['read', 'transact', 'withdraw', 'manage'] as const
        const grant = { humanId: human.urn.body, agentId: null, scopes, expiresAt: null, spendLimit: NO_LIMIT }
        return { id: human.urn.body, token: (await issueToken(tx, human.urn.body, grant)).secret }
      })
    } finally {
      await db.destroy()
    }
  }

  async function revokeAndRestart(logins: readonly string[]): Promise<void> {
    for (const login of logins) await owner.query(`alter role ${login} nologin`)
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = any ($1)', [logins])
    await enableRoles(stack.databaseUrl)
    await enableIndexRoles(stack.index.url)
    for (const name of SERVICES) await stack.kill(name)
    for (const name of SERVICES) await stack.restart(name)
    const operator = await newOperator()
    stack.credentials.operator_token = operator.token
    // As `./market stops lift` does: a stop that a thief raised stays until then.
    for (const { id } of await standingStops(stack.databaseUrl)) await endStop(stack.databaseUrl, operator.id, id)
    await until('the api is ready', () => answersOk(`${stack.baseUrl}/readyz`), Boolean, { limitMs: 60_000 })
  }

  /** The hot wallet signs nothing until all that it may have signed has expired. */
  async function letPayoutsWait(): Promise<void> {
    const operator = createMarket({ baseUrl: stack.baseUrl, token: stack.credentials.operator_token })
    await operator.call('advanceSandboxClock', { body: { seconds: QUARTER_HOUR_SECONDS } })
  }

  /** As docs/operate/alarms.md says: the index is built again. */
  async function dropIndex(): Promise<void> {
    await stack.kill('indexer')
    const { rows } = await index.query<{ name: string }>(
      `select quote_ident(nspname) as name from pg_namespace where nspname in ('chain', 'ponder_sync') or starts_with(nspname, 'indexer_')`,
    )
    for (const { name } of rows) await index.query(`drop schema ${name} cascade`)
  }

  async function steal({ login, isOfIndex, url, reach, beyond: other }: Theft): Promise<Taken> {
    const database = isOfIndex ? index : owner
    const all = await privilegesOf(database, login)
    const privileges = other === undefined ? all : beyond(all, await privilegesOf(database, other))
    const thief = new pg.Client(url(stack))
    await thief.connect()
    const tried = privileges.filter(({ name }) => !(name in UNTRIED))
    try {
      // The owner of a table switches its triggers off.
      for (const { name, parameters } of isOfIndex ? tried : [])
        if (!parameters) await thief.query(`alter table ${name} disable trigger user`).catch(() => {})
      return await fillWithJunk(thief, tried, reach)
    } finally {
      await thief.end()
    }
  }

  for (const [which, thefts] of Object.entries(THEFTS)) {
    it(`${which}: its junk keeps nobody from trading, although it did whatever the login may do [risk market-api market-worker market-facilitator market-indexer index-reader]`, async (context) => {
      const logins = thefts.map(({ login }) => login)
      const none: string[] = []
      for (const theft of thefts) {
        const taken = await steal(theft)
        context.diagnostic(`${theft.login}: ${taken.size} tables and functions`)
        none.push(...untouched(theft, taken))
      }
      for (const [name, why] of Object.entries({ ...UNTRIED, ...REFUSED })) context.diagnostic(`not in ${name}: ${why}`)
      if (logins.includes('market_indexer')) await dropIndex()
      await revokeAndRestart(logins)
      if (logins.includes('market_facilitator')) await letPayoutsWait()
      await Promise.all(MODES.map(trade))
      expect(failedJobs(stack.log('worker'))).to.deep.equal([])
      expect(none).to.deep.equal([])
    })
  }
})

/** The tables that took none of a thief's junk, although they should. */
function untouched({ login }: Theft, taken: Taken): string[] {
  const none = [...taken].filter(([name, count]) => count.taken === 0 && !name.includes('(') && !(name in REFUSED))
  return none.map(([name, { refusal }]) => `${login}: ${name}: ${refusal}`)
}

/** The jobs that have failed as a whole: one row kept the others from their turn. */
function failedJobs(log: string): string[] {
  const failed = log.split('\n').filter((line) => line.includes('"msg":"job failed"'))
  return [...new Set(failed.map((line) => String(JSON.parse(line).job)))]
}
