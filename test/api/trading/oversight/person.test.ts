import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Problem } from '../../../../api/errors.ts'
import type { Tx } from '../../../../api/platform/db/pool.ts'
import { readPerson } from '../../../../api/trading/oversight/internal/person.ts'
import { searchEverything } from '../../../../api/trading/oversight/internal/search.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { newTrade, startWorld, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'

describe('an operator', () => {
  let world: World
  let trade: Trade
  const humanId = randomUUID()
  const email = `Ada.${humanId}@example.com`
  before(async () => {
    world = await startWorld()
    trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    const operator = { id: humanId, display_name: 'Ada the Operator', email, role: 'operator', person_id: humanId }
    await world.db
      .insertInto('market.humans')
      .values(operator as never)
      .execute()
  })
  after(() => world?.stop())

  const call = () => ({ actor: { ...trade.buyer.call.actor, humanId, agentId: null }, settings: world.settings })
  const search = (q: string) => world.run((tx) => searchEverything(tx, call(), q))
  const kinds = async (q: string) => (await search(q)).found.map(({ urn }) => urn.prefix)
  const audited = (action: string) =>
    world.db.selectFrom('market.audit_log').selectAll().where('action', '=', action).orderBy('id', 'desc').execute()

  it('finds an order by its URN, its id, its thread, its nonce, its payer and the transaction that paid it', async () => {
    const order = await orderOf(world, trade)
    const { payer, deposit_tx: paid } = await world.db
      .selectFrom('market.holds')
      .select(['payer', 'deposit_tx'])
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    const names = [urnString('order', order.id), order.id.toUpperCase(), urnString('thread', order.thread_id ?? '')]
    for (const q of [...names, order.nonce, payer, ` ${paid} `]) {
      const { found } = await search(q)
      const [hit] = found.filter(({ urn }) => urn.prefix === 'order')
      expect(hit?.urn.body, q).to.equal(order.id)
      expect(hit).to.include({ state: 'funded', amount: '20.000000', title: 'Agent buys from Agent' })
      expect(hit?.people.map(({ urn }) => urn.body)).to.have.members([trade.buyer.humanId, trade.seller.humanId])
    }
  })

  it('finds people, agents and what they have by names, and nothing by a part of an e-mail address', async () => {
    expect(await kinds('ADA THE')).to.deep.equal(['human'])
    expect(await kinds(email.toUpperCase())).to.deep.equal(['human'])
    expect(await kinds('example.com')).to.deep.equal([])
    expect(await kinds(email.slice(0, -1))).to.deep.equal([])
    expect(await kinds('%')).to.deep.equal([])
    expect(await kinds(urnString('agent', trade.seller.agentId))).to.deep.equal(['agent'])
    expect(await kinds(urnString('order', randomUUID()))).to.deep.equal([])
    expect(await kinds(urnString('wallet', randomUUID()))).to.deep.equal([])
    expect(await kinds(`0x${'0'.repeat(64)}`)).to.deep.equal([])
  })

  it('is on record with each search, without what was typed, and with whom an e-mail address found [risk operator-session]', async () => {
    const before = await audited('operator.search')
    await search(email)
    const [entry, ...rest] = await audited('operator.search')
    expect(rest).to.have.length(before.length)
    const operator = urnString('human', humanId)
    expect(entry).to.include({ actor: operator, subject: operator })
    expect(entry?.details).to.deep.equal({ by: 'email', found: [operator] })
    expect((await audited('human.found_by_email'))[0]).to.include({ actor: operator, subject: operator, details: null })
  })

  it('reads what a person has, and the person sees that [risk operator-session]', async () => {
    const person = await world.run((tx) => readPerson(tx, call(), trade.buyer.humanId))
    expect(person.agents.map(({ urn }) => urn.body)).to.deep.equal([trade.buyer.agentId])
    expect(person.limits.agents).to.deep.equal({ used: 1, most: world.settings.rules.maxAgents })
    expect(person.orders).to.have.length(1)
    expect(person.orders[0]).to.include({
      side: 'buyer',
      state: 'funded',
      price: '20.000000',
      escrow_mode: 'custodied',
    })
    expect(JSON.stringify(person)).to.not.include('@')
    const [entry] = await audited('human.read_by_operator')
    expect(entry).to.include({
      actor: urnString('human', humanId),
      subject: urnString('human', trade.buyer.humanId),
    })
  })

  it('reads nobody who is not there, and leaves no entry', async () => {
    const before = await audited('human.read_by_operator')
    const error = await world.run((tx) => readPerson(tx, call(), randomUUID())).catch((thrown: unknown) => thrown)
    expect((error as Problem).problem).to.equal('resource/not-found')
    expect(await audited('human.read_by_operator')).to.have.length(before.length)
  })

  it('finds all of it by indexes', async () => {
    const planned = openPlanned(world.databaseUrl)
    const looks: ((tx: Tx) => Promise<unknown>)[] = [
      ...[
        randomUUID(),
        urnString('receipt', randomUUID()),
        `0x${'1'.repeat(64)}`,
        `0x${'2'.repeat(40)}`,
        'ada',
        'a@b.c',
      ].map((q) => (tx: Tx) => searchEverything(tx, call(), q)),
      (tx) => readPerson(tx, call(), trade.buyer.humanId),
    ]
    try {
      for (const look of looks) {
        for (const plan of await planned.plansOf(look)) {
          expect(plan, plan).to.not.match(
            /Seq Scan on (humans|agents|orgs|orders|disputes|payouts|holds|processed|asks|bids|tokens|sessions|webhook|wallet)/,
          )
        }
      }
    } finally {
      await planned.db.destroy()
    }
  })
})
