import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { newTrade, PRICE, setState, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { expectProblem, type Reply, serveApi } from '../../../kit/api/platform/http/api.ts'

describe('recent orders', () => {
  let world: World
  let served: Awaited<ReturnType<typeof serveApi>>
  before(async () => {
    world = await startWorld()
    served = await serveApi({ db: world.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: world.settings })
  })
  after(async () => {
    await served.stop()
    await world.stop()
  })

  const read = (query = '') => served.send('GET', `/v1/public/recent-orders${query}`)
  const ordersOf = ({ body }: Reply) => body.orders as Record<string, unknown>[]
  const funded = async () => {
    const trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    return trade
  }
  const accepted = async () => {
    const trade = await funded()
    await setState(world, trade, 'delivered')
    const due = { accept_by: new Date(0) }
    await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
    await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
    return trade
  }

  it('tell what was settled, newest first, to anyone, and nothing of what is open [spec 4:54]', async () => {
    await funded()
    expect(ordersOf(await read())).to.deep.equal([])
    const released = await accepted()
    const halved = await funded()
    await setState(world, halved, 'accepted')
    const half = { refundMicros: PRICE / 2n }
    await world.run((tx) => release(tx, world.settings, halved.orderId, half))
    const reply = await read()
    expect(reply.status).to.equal(200)
    expect(reply.headers.get('cache-control')).to.equal('public, max-age=10')
    expect(ordersOf(reply).map(({ outcome }) => outcome)).to.deep.equal(['split', 'released'])
    expect(ordersOf(await read('?limit=1')).map(({ outcome }) => outcome)).to.deep.equal(['split'])
    const { finalized_at: finalizedAt } = await world.db
      .selectFrom('market.receipts')
      .select('finalized_at')
      .where('order_id', '=', released.orderId)
      .executeTakeFirstOrThrow()
    const minute = new Date(Math.floor((finalizedAt?.getTime() ?? 0) / 60_000) * 60_000)
    expect(ordersOf(reply)[1]).to.deep.equal({
      price: '20.000000',
      escrow_mode: 'custodied',
      outcome: 'released',
      disputed: false,
      finalized_at: minute.toISOString(),
    })
  })

  it('refuse a length that no list has', async () => {
    for (const limit of ['0', '51', '-1', '1e1', 'x']) {
      expectProblem(await read(`?limit=${limit}`), 400, 'request/invalid', 'limit')
    }
  })

  it('are found by an index, however many there are', async () => {
    await world.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select finalized_at from market.receipts where finalized_at is not null
        order by finalized_at desc limit 20`.execute(tx)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).to.match(/Index .*receipts_recent/)
    })
  })
})
