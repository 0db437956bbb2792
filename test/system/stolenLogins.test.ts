import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { createHuman } from '../../api/identity/accounts/createHuman.ts'
import { issueToken } from '../../api/identity/tokens/mint.ts'
import { NO_LIMIT } from '../../api/identity/tokens/spendLimit.ts'
import { openOwnerPool } from '../../api/platform/db/searchPath.ts'
import { reactions } from '../../api/reactions.ts'
import { answersOk } from '../../cli/machine/http.ts'
import { enableRoles } from '../../cli/stack/postgres/roleLogins.ts'
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
import { fillWithJunk, privilegesOf } from '../kit/stack/junk.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'

const QUARTER_HOUR_SECONDS = 910
const LOGIN = 'market_facilitator'
/** The table whose constraints refuse all of this junk; test/facilitator/file/junk.test.ts adds rows that they take. */
const CONSTRAINED = ['facilitator.first_sights']

describe('a login to the database that was stolen, and is revoked', { timeout: 900_000 }, () => {
  let stack: Stack
  let owner: pg.Pool

  before(async () => {
    stack = await startStack({ ownPostgres: true })
    owner = new pg.Pool({ connectionString: stack.databaseUrl })
    owner.on('error', () => {})
    for (const mode of MODES) await trade(mode)
  })
  after(async () => {
    await owner?.end()
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
  async function newOperator(): Promise<string> {
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
        return (await issueToken(tx, human.urn.body, grant)).secret
      })
    } finally {
      await db.destroy()
    }
  }

  async function revokeAndRestart(login: string): Promise<void> {
    await owner.query(`alter role ${login} nologin`)
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])
    await enableRoles(stack.databaseUrl)
    for (const name of SERVICES) await stack.kill(name)
    for (const name of SERVICES) await stack.restart(name)
    stack.credentials.operator_token = await newOperator()
    await until('the api is ready', () => answersOk(`${stack.baseUrl}/readyz`), Boolean, { limitMs: 60_000 })
  }

  it(`${LOGIN}: its junk keeps nobody from trading, although it did whatever the login may do`, async (context) => {
    const thief = new pg.Client(stack.database.roleUrls.facilitator)
    await thief.connect()
    const taken = await fillWithJunk(thief, await privilegesOf(owner, LOGIN))
    await thief.end()
    const refused = [...taken].flatMap(([name, count]) => (count.taken === 0 ? [name] : []))
    context.diagnostic(`refused altogether: ${refused.join(', ')}`)
    expect(refused.filter((name) => !name.includes('('))).to.deep.equal(CONSTRAINED)
    await revokeAndRestart(LOGIN)
    const operator = createMarket({ baseUrl: stack.baseUrl, token: stack.credentials.operator_token })
    await operator.call('advanceSandboxClock', { body: { seconds: QUARTER_HOUR_SECONDS } })
    for (const mode of MODES) await trade(mode)
  })
})
