import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address } from 'viem'
import { keySet } from '../../../../api/config/publicConfig.ts'
import type { Problem } from '../../../../api/errors.ts'
import { eraseHuman } from '../../../../api/identity/erasure/internal/erase.ts'
import { personOf } from '../../../../api/identity/person.ts'
import { tableRules } from '../../../../api/modules.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import type { Tx } from '../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { placeOrder } from '../../../../api/trading/orders/placement/place.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { verifyDocument } from '../../../../protocol/keys/signing.ts'
import { verifyAuditLog } from '../../../../sdk/auditLog.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { type Account, firstHuman, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { fileDueErasure, erase as requestAndErase, runErasures } from '../../../kit/api/identity/erasure.ts'
import { outflowEvent, paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { receiptOf } from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { newTrade, setState, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { owe } from '../../../kit/api/payments/ledger/postings.ts'
import { type Api, expectProblem, type Reply, type Request, startApi } from '../../../kit/api/platform/http/api.ts'
import { heartbeat } from '../../../kit/api/trading.ts'
import { until } from '../../../kit/until.ts'

const VERSE = 'Twas brillig'

describe('erasure', () => {
  let api: Api
  let ada: Account
  before(async () => {
    api = await startApi()
    ada = firstHuman(api)
    await heartbeat(api)
  })
  after(() => api.stop())

  const post = (path: string, by: Account, request: Request = {}) =>
    api.send('POST', path, { token: by.token, ...request })
  const erase = (who: Account) => requestAndErase(api, who.token)
  const newAsk = async (seller: Account, title = 'Verse') =>
    (await post('/v1/asks', seller, { body: { title, description: VERSE, price: '20.000000' } })).body.urn
  /** Placing asks the chain for the token's name; the verb behind it does not. */
  const place = (tx: Tx, buyer: Account, ask: { body: string }) => {
    const token = { tokenId: '', expiresAt: null, session: null, scopes: [] }
    const flags = { isHuman: true, isOperator: false, isDeactivated: false, isRotated: false }
    const actor = { humanId: ada.id, agentId: buyer.id, ...token, ...flags }
    return placeOrder(
      tx,
      { actor, settings: api.settings, requestId: '' },
      {
        subject: { askId: ask.body, askVersion: undefined },
        mode: undefined,
      },
    )
  }
  const order = (buyer: Account, ask: { body: string }) =>
    inTransaction(api.db, 'read write', (tx) => place(tx, buyer, ask))

  const expectBlocked = (reply: Reply, reasons: object[]) => {
    expectProblem(reply, 409, 'erase_blocked')
    expect(reply.body.reasons).to.deep.equal(reasons)
  }
  const seal = async () => {
    const silent = pino({ level: 'silent' })
    await sealAuditLog({ db: api.workerDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log: silent })
  }
  /** Where in the whole database a text stands. */
  const placesOf = async (text: string) => {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(api.db)
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await sql<{ n: number }>`
          select count(*)::integer as n from ${sql.raw(name)} row
          where row::text ilike ${`%${text}%`} or row::text ilike ${`%${Buffer.from(text).toString('hex')}%`}`.execute(
          api.db,
        )
        return rows[0]?.n ? [name] : []
      }),
    )
    return found.flat().sort()
  }

  it('knows every column of the database', async () => {
    const { rows } = await sql<{ name: string; columns: string[] }>`
      select table_schema || '.' || table_name as name, array_agg(column_name::text order by column_name) as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      -- A view keeps nothing.
      where table_schema in ('market', 'ledger', 'facilitator') and table_type = 'BASE TABLE'
      group by 1 order by 1`.execute(api.db)
    const kept = tableRules.map(([name, rule]) => {
      const { deleted, overwritten, emptied = [], kept, plain = [] } = rule
      const columns = [
        ...(deleted?.columns ?? []),
        ...Object.keys(overwritten?.columns ?? {}),
        ...emptied,
        ...(kept?.columns ?? []),
        ...plain,
      ]
      return [name, [...new Set(columns)].sort()]
    })
    expect(Object.fromEntries(kept)).to.deep.equal(Object.fromEntries(rows.map(({ name, columns }) => [name, columns])))
  })

  it('has one rule of each table, and finds rows by those of another before these are deleted', () => {
    const order = tableRules.map(([name]) => name)
    expect(order).to.deep.equal([...new Set(order)])
    const deleted = tableRules.filter(([, rule]) => rule.deleted).map(([name]) => name)
    const asking = tableRules.flatMap(([name, rule]) =>
      [rule.deleted, rule.overwritten].flatMap((which) => {
        const text = which?.rows(personOf(ada.id)).compile(api.db).sql ?? ''
        const asked = deleted.filter((other) => other !== name && new RegExp(`\\b${other}\\b`).test(text))
        return asked.map((other) => [name, other] as const)
      }),
    )
    expect(asking).to.deep.include(['market.orgs', 'market.org_members'])
    expect(asking).to.deep.include(['market.export_chunks', 'market.exports'])
    expect(asking.filter(([name, other]) => order.indexOf(name) > order.indexOf(other))).to.deep.equal([])
    // What an org has goes before the org, and is asked of the memberships in it.
    const ofOrgs = asking.filter(([, other]) => other === 'market.org_members').map(([name]) => name)
    expect(ofOrgs.at(-1)).to.equal('market.orgs')
  })

  it('leaves nothing of a person anywhere, cuts every token, and keeps the audit log verifiable [spec 4:45]', async () => {
    const body = { display_name: 'Zebedee Quux', email: 'zebedee@quux.example' }
    const made = await api.send('POST', '/v1/accounts/humans', {
      token: api.first.operator_token,
      body,
      headers: { 'idempotency-key': 'make-1' },
    })
    const id = made.body.urn.body
    const minted = await api.send('POST', '/v1/me/tokens', {
      token: api.first.operator_token,
      body: { owner_urn: urnString('human', id), scopes: ['read', 'transact', 'withdraw', 'manage'] },
    })
    const zeb: Account = { id, urn: urnString('human', id), token: minted.body.secret }
    const agent = await newAgent(api, zeb, 'Quuxbot')
    const ask = await newAsk(agent, 'Quux poems')
    await api.send('PATCH', `/v1/asks/${urnString('ask', ask.body)}`, {
      token: agent.token,
      body: {
        title: 'More quux',
        input: 'optional',
        input_schema: { title: 'Quux' },
        input_example: 'quux',
        input_instructions: 'Say quux.',
      },
    })
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    await post('/v1/me/wallets', zeb, { body: { address }, headers: { 'idempotency-key': 'quux-key' } })
    await sql`
      with passkey as (
        insert into market.passkeys (id, human_id, credential_id, public_key, counter, transports, name, is_backed_up)
        values (gen_random_uuid(), ${id}, '\\x01', '\\x02', 0, '{}', 'Quux phone', false) returning id
      )
      insert into market.sessions (id, human_id, passkey_id, secret_hash, expires_at)
      select gen_random_uuid(), ${id}, id, '\\x03', market.now() + interval '1 day' from passkey`.execute(api.db)
    await seal()
    const stands = [...(await placesOf('quux')), ...(await placesOf(address))]
    expect(stands).to.include.members(['market.humans', 'market.agents', 'market.asks', 'market.ask_versions'])
    expect(stands).to.include.members(['market.idempotent_answers', 'market.wallet_challenges'])

    const reply = await erase(zeb)
    expect({ status: reply.status, urn: reply.body.urn }).to.deep.equal({
      status: 202,
      urn: { prefix: 'human', body: id },
    })
    expect(await placesOf('quux')).to.deep.equal([])
    expect(await placesOf('zebedee')).to.deep.equal([])
    expect(await placesOf(address)).to.deep.equal([])
    expect(await api.db.selectFrom('market.sessions').select('id').where('human_id', '=', id).execute()).to.deep.equal(
      [],
    )
    for (const { token } of [zeb, agent])
      expectProblem(await api.send('GET', '/v1/me', { token }), 401, 'auth/unauthenticated')

    const again = await api.send('POST', '/v1/accounts/humans', {
      token: api.first.operator_token,
      body,
      headers: { 'idempotency-key': 'make-1' },
    })
    expect(again.body.urn.body).to.equal(id)
    expect(again.body.display_name).to.equal('[erased]')

    await seal()
    const client = createMarket({ baseUrl: api.baseUrl, token: ada.token })
    await verifyAuditLog(client, (await keySet(api.db, api.settings)).keys)
  })

  it('destroys what the audit log tells of a person, in the chain or not yet, and no more', async () => {
    const bob = await newHuman(api, 'Bob')
    await newAgent(api, bob)
    await seal()
    await newAgent(api, bob)
    expect((await erase(bob)).status).to.equal(202)
    await seal()
    const { rows } = await sql<{ actor: string; action: string; is_told: boolean }>`
      select actor, action, salt is not null as is_told from market.audit_log
      where actor = ${bob.urn} or subject = ${bob.urn} order by id`.execute(api.db)
    expect(rows.filter(({ is_told }) => is_told)).to.deep.equal([
      { actor: 'service', action: 'human.erase', is_told: true },
    ])
    const { rows: others } = await sql<{ n: number }>`
      select count(*)::integer as n from market.audit_log where actor = ${ada.urn} and salt is null`.execute(api.db)
    expect(others).to.deep.equal([{ n: 0 }])
    const client = createMarket({ baseUrl: api.baseUrl, token: ada.token })
    await verifyAuditLog(client, (await keySet(api.db, api.settings)).keys)
  })

  it('is refused by the database itself, whoever calls, of operators and of people with open business [risk market-api]', async () => {
    const [buyer, seller] = [await newHuman(api, 'Eve'), await newHuman(api, 'Dan')]
    const ask = await newAsk(await newAgent(api, seller))
    await order(await newAgent(api, buyer), ask)
    const { rows } = await sql<{ id: string }>`select id from market.humans where role = 'operator'`.execute(api.db)
    const attempt = (id: string) =>
      sql`select market.erase_human(${id})`.execute(api.workerDb).then(
        () => 'erased',
        (error: Error) => error.message.replace(/.*erased: /, ''),
      )
    expect(await attempt(rows[0]?.id ?? '')).to.include('operator_role')
    for (const { id } of [buyer, seller]) expect(await attempt(id)).to.equal('{orders_open}')
  })

  it('waits until orders are settled, on either side, and says what it waits for [spec 7:4]', async () => {
    const [seller, buyer] = [await newHuman(api, 'Seller'), await newHuman(api, 'Buyer')]
    const [sells, buys] = [await newAgent(api, seller), await newAgent(api, buyer)]
    const { id } = await order(buys, await newAsk(sells))
    for (const side of [seller, buyer]) expectBlocked(await erase(side), [{ code: 'orders_open', count: 1 }])
    expect((await api.send('GET', '/v1/me', { token: seller.token })).body.display_name).to.equal('Seller')
    const path = `/v1/orders/${urnString('order', id)}/cancel`
    expect((await post(path, buys, { body: { reason_code: 'other' } })).status).to.equal(200)
    for (const side of [seller, buyer]) expect((await erase(side)).status).to.equal(202)
  })

  it('waits for 90 days after a dispute, whose record stays whole so long', async () => {
    const [seller, buyer] = [await newHuman(api, 'Seller'), await newHuman(api, 'Buyer')]
    const [sells, buys] = [await newAgent(api, seller), await newAgent(api, buyer)]
    const { id } = await order(buys, await newAsk(sells))
    await post(`/v1/orders/${urnString('order', id)}/cancel`, buys, { body: { reason_code: 'other' } })
    await sql`insert into market.disputes (id, order_id, state, opener, outcome, refund_micros, closed_at)
      values (gen_random_uuid(), ${id}, 'closed', 'buyer', 'settlement', 0, market.now() - interval '89 days')`.execute(
      api.db,
    )
    for (const side of [seller, buyer]) expectBlocked(await erase(side), [{ code: 'disputes_recent', count: 1 }])
    await sql`update market.disputes set closed_at = closed_at - interval '1 day' where order_id = ${id}`.execute(
      api.db,
    )
    for (const side of [seller, buyer]) expect((await erase(side)).status).to.equal(202)
  })

  it('waits for money that is owed, and for whoever alone may do something', async () => {
    const owed = await newHuman(api, 'Owed')
    const payable = { kind: 'payable', owner: { type: 'human', id: owed.id } } as const
    await owe(api.db, 'x', [payable], 1n)
    await sql`update market.humans set role = 'operator' where id = ${owed.id}`.execute(api.db)
    expectBlocked(await erase(owed), [
      { code: 'balance_owed', count: 1 },
      { code: 'operator_role', count: 1 },
    ])
    await owe(api.db, 'x', [payable], -1n)
    await sql`update market.humans set role = 'member' where id = ${owed.id}`.execute(api.db)
    expect((await erase(owed)).status).to.equal(202)
  })

  it('waits for what a wallet of theirs has not withdrawn from the contract', async () => {
    const owner = await newHuman(api, 'Owner')
    const address = '0xde709f2102306220921060314715629080e2fb77'
    await sql`insert into market.wallet_owners (address, owner_id) values (${address}, ${owner.id})`.execute(api.db)
    const credit = { kind: 'claimable', owner: { type: 'address', id: address } } as const
    await owe(api.db, 'x', [credit], 1n)
    expectBlocked(await erase(owner), [{ code: 'claimable_unwithdrawn', count: 1 }])
    await owe(api.db, 'x', [credit], -1n)
    expect((await erase(owner)).status).to.equal(202)
  })

  it('is a human’s to ask for, with the scope manage', async () => {
    const agent = await newAgent(api, ada)
    expectProblem(await erase(agent), 403, 'auth/forbidden')
  })

  /** Holds a transaction open in which something was done, until what is sent meanwhile waits for it. */
  const meanwhile = async <Answer>(
    done: (tx: Tx) => Promise<unknown>,
    send: () => Promise<Answer>,
  ): Promise<Answer> => {
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = api.db.transaction().execute(async (tx) => {
      await done(tx)
      held.resolve()
      await release.promise
    })
    await Promise.race([held.promise, holding])
    let isAnswered = false
    const sent = send().finally(() => {
      isAnswered = true
    })
    // What is answered without waiting is for the test to judge.
    sent.catch(() => {})
    await until('it waits, or is answered', async () => isAnswered || (await somebodyWaits()), Boolean, { pollMs: 1 })
    release.resolve()
    await holding
    return sent
  }
  const somebodyWaits = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(api.db)
    return rows.length > 0
  }

  it('sees an order that is being placed at that moment', async () => {
    const seller = await newHuman(api)
    const ask = await newAsk(await newAgent(api, seller))
    const buyer = await newAgent(api, ada)
    await fileDueErasure(api.db, seller.id)
    await meanwhile(
      (tx) => place(tx, buyer, ask),
      () => runErasures(api),
    )
    expect((await api.send('GET', '/v1/me', { token: seller.token })).status).to.equal(200)
    expect((await api.send('DELETE', '/v1/me/erase', { token: seller.token })).status).to.equal(204)
    expectBlocked(await erase(seller), [{ code: 'orders_open', count: 1 }])
  })

  it('lets nobody order from somebody who is being erased at that moment', async () => {
    const seller = await newHuman(api)
    const ask = await newAsk(await newAgent(api, seller))
    const buyer = await newAgent(api, ada)
    await fileDueErasure(api.db, seller.id)
    const refused = await meanwhile(
      (tx) => eraseHuman(tx, seller.id, tableRules),
      () => order(buyer, ask).catch((error: unknown) => error),
    )
    expect(refused).to.include({ problem: 'asks/inactive' })
  })

  it('lets nothing be written for somebody whose call came just before', async () => {
    const bob = await newHuman(api, 'Bob')
    const body = { owner_urn: bob.urn, display_name: 'Straggler' }
    await fileDueErasure(api.db, bob.id)
    const reply = await meanwhile(
      (tx) => eraseHuman(tx, bob.id, tableRules),
      () => post('/v1/accounts/agents', bob, { body }),
    )
    expectProblem(reply, 401, 'auth/unauthenticated')
    expect(await placesOf('Straggler')).to.deep.equal([])
  })

  it('happens once, however often it is asked for at once', async () => {
    const bob = await newHuman(api, 'Bob')
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('/v1/me/erase', bob)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.erase_at}`))).to.have.property('size', 1)
    await fileDueErasure(api.db, bob.id)
    await Promise.all([runErasures(api), runErasures(api)])
    const { rows } = await sql<{ action: string }>`
      select action from market.audit_log where subject = ${bob.urn} and action like 'human.erase%' order by id`.execute(
      api.db,
    )
    expect(rows.map(({ action }) => action)).to.deep.equal(['human.erase_request', 'human.erase'])
  })
})

describe('erasure after a trade', () => {
  let world: World
  before(async () => {
    world = await startWorld()
  })
  after(() => world.stop())

  it('keeps the receipt of its other side as it was signed', async () => {
    const trade = await newTrade(world, 'custodied')
    const deposit = paymentEvent(trade)
    await world.settle(deposit)
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    const waiting = await world
      .run((tx) => eraseHuman(tx, trade.seller.humanId, tableRules))
      .catch((error: Problem) => error)
    expect(waiting).to.containSubset({ problem: 'erase_blocked', reasons: [{ code: 'payouts_open', count: 1 }] })
    const { address } = await world.db
      .selectFrom('market.wallets')
      .select('address')
      .where('account_id', '=', trade.seller.agentId)
      .executeTakeFirstOrThrow()
    await world.settle(outflowEvent(world, deposit, 'payee', address as Address, 19_000_000n))
    const receipt = await receiptOf(world, trade)
    await fileDueErasure(world.db, trade.seller.humanId)
    await world.run((tx) => eraseHuman(tx, trade.seller.humanId, tableRules))
    const after = await receiptOf(world, trade)
    expect(after).to.deep.equal(receipt)
    const { document, key_id: keyId, signature } = after ?? {}
    const { keys } = await keySet(world.db, world.settings)
    expect(
      await verifyDocument(document ?? {}, { keyId: keyId ?? '', signature: signature ?? '' }, keys, {
        purpose: 'receipts',
      }),
    ).to.equal(true)
    const ask = await world.db.selectFrom('market.ask_versions').selectAll().executeTakeFirstOrThrow()
    expect([ask.title, ask.description]).to.deep.equal(['[erased]', '[erased]'])
  })
})
