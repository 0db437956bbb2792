import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { recordWorkerBeat } from '../../../api/health/recordBeat.ts'
import { openRpc, REQUESTS } from '../../../api/payments/chain/nodes.ts'
import { openIndexPool, openPool } from '../../../api/platform/db/pool.ts'
import { redisWindows } from '../../../api/platform/http/serve/windows.ts'
import { schema } from '../../../api/schema.ts'
import { type ForgedIndex, forgeIndex, indexTo } from '../../kit/api/payments/chain/forgedIndex.ts'
import { type Api, expectProblem, serveApi, startApi } from '../../kit/api/platform/http/api.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { mineBlocks } from '../../kit/chain/payments.ts'
import { startSilentServer } from '../../kit/stack/hang.ts'

// What is known of the node is kept for so long.
const NODE_KEPT_MS = 1_000

describe('readiness', () => {
  let api: Api
  let chain: TestChain
  let index: ForgedIndex
  before(async () => {
    chain = await startChain()
    index = await forgeIndex(chain)
    await renameViews('chain', 'away')
    api = await startApi({ chain, index: index.reader })
  })
  after(async () => {
    await api?.stop()
    await index?.stop()
    await chain?.stop()
  })

  const renameViews = (from: string, to: string) =>
    sql`alter schema ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(index.db)
  const ready = () => api.send('GET', '/readyz')

  it('is reported without a token, with what is absent [spec 4:47]', async () => {
    const { status, body } = await ready()
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      status: 'degraded',
      ailing: [
        { part: 'facilitator', detail: 'No facilitator has ever reported.' },
        { part: 'worker', detail: 'No worker has ever reported.' },
        { part: 'chain_index', detail: 'The index of the chain has no block, or its database does not answer.' },
      ],
      node: { alive: true },
      facilitator: { alive: false, beat_at: null },
      worker: { alive: false, beat_at: null },
      chain_index: null,
    })
  })

  it('tells whether the facilitator is alive', async () => {
    await sql`insert into facilitator.heartbeat (beat_at) values (clock_timestamp())`.execute(api.db)
    expect((await ready()).body.facilitator).to.include({ alive: true })
    await sql`update facilitator.heartbeat set beat_at = clock_timestamp() - interval '11 seconds'`.execute(api.db)
    const { body } = await ready()
    expect(body.facilitator).to.include({ alive: false })
    expect(JSON.stringify(body.ailing)).to.include('The facilitator last reported at ')
  })

  it('tells whether a worker runs its jobs', async () => {
    await recordWorkerBeat(api)
    expect((await ready()).body.worker).to.include({ alive: true })
    await sql`update market.worker_heartbeat set beat_at = clock_timestamp() - interval '31 seconds'`.execute(api.db)
    expect((await ready()).body.worker).to.include({ alive: false })
  })

  it('is whole only with the facilitator, a worker and the index of the chain, and is reported all the same', async () => {
    const statusNow = async () => {
      const { status, body } = await ready()
      return { status, said: body.status }
    }
    await sql`update facilitator.heartbeat set beat_at = clock_timestamp()`.execute(api.db)
    expect(await statusNow()).to.deep.equal({ status: 200, said: 'degraded' })
    await renameViews('away', 'chain')
    expect(await statusNow()).to.deep.equal({ status: 200, said: 'degraded' })
    await recordWorkerBeat(api)
    expect(await statusNow()).to.deep.equal({ status: 200, said: 'ready' })
    await sql`update facilitator.heartbeat set beat_at = clock_timestamp() - interval '11 seconds'`.execute(api.db)
    expect(await statusNow()).to.deep.equal({ status: 200, said: 'degraded' })
    expect((await ready()).body.chain_index).to.include({ block_number: Number(await chain.client.getBlockNumber()) })
    await renameViews('chain', 'away')
  })

  it('is told to operators with what waits and what stands still, and to nobody else', async () => {
    const token = api.first.operator_token
    await api.send('POST', '/v1/payout-stops', { token, body: { reason: 'A look.', place: 'escrow' } })
    await sql`insert into market.hot_wallet (block_number, balance_micros, due_micros, observed_at)
      values (1, 5000000, 2000000, market.now())`.execute(api.db)
    const { status, body } = await api.send('GET', '/v1/operator/status', { token })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.include({
      ...(await ready()).body,
      version: schema.version,
      schema: schema.migrations.at(-1)?.name,
      reconciliation: null,
      stops: { hot_wallet: 0, escrow: 1 },
      queues: { intents: 0, payouts: 0, webhook_deliveries: 0 },
      hot_wallet: { balance: '5.000000', due: '2.000000', is_below_floor: false },
    })
    const other = { token: api.first.human_token }
    expectProblem(await api.send('GET', '/v1/operator/status', other), 403, 'auth/forbidden')
  })

  it('is denied while migrations are due [spec 4:48]', async () => {
    const rename = (from: string, to: string) =>
      sql`update public.migrations set name = ${to} where name = ${from}`.execute(api.db)
    await rename('0001_schema.sql', '0000_other.sql')
    expectProblem(await ready(), 503, 'service/not-ready')
    await rename('0000_other.sql', '0001_schema.sql')
    expect((await ready()).status).to.equal(200)
  })

  it('is denied without the database, while the process is healthy', async () => {
    const db = openPool('postgres://127.0.0.1:9/none', { max: 1, onError: () => {} })
    const away = await serveApi({ db, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings })
    expectProblem(await away.send('GET', '/readyz'), 503, 'service/unavailable')
    expect((await away.send('GET', '/healthz')).body).to.deep.equal({ status: 'ok' })
    await away.stop()
    await db.destroy()
  })

  it('is degraded when the index has lacked a block for half a minute, and says which part stands still', async () => {
    await renameViews('away', 'chain')
    const at = await chain.client.getBlockNumber()
    await indexTo(index.db, at)
    await mineBlocks(chain, 2)
    expect(JSON.stringify((await ready()).body.ailing)).not.to.include('chain_index')
    const { status } = await api.send('POST', '/sandbox/clock/advance', {
      token: api.first.operator_token,
      body: { seconds: 40 },
    })
    expect(status).to.equal(200)
    await delay(NODE_KEPT_MS)
    const { body } = await ready()
    expect(body.status).to.equal('degraded')
    expect(body.ailing, JSON.stringify(body)).to.have.length(2)
    expect(JSON.stringify(body.ailing)).to.match(
      new RegExp(
        `"chain_index","detail":"The index of the chain stands at block ${at}: it has lacked the next one for 4\\d s`,
      ),
    )
    await indexTo(index.db, await chain.client.getBlockNumber())
    expect(JSON.stringify((await ready()).body.ailing)).not.to.include('chain_index')
    await renameViews('chain', 'away')
  })

  it('is answered while its parts hang, and names them', async (context) => {
    const silent = await startSilentServer()
    const never = { max: 1, onError: () => {} }
    const hungDb = openPool(`postgres://${silent.host}/market`, never)
    const hungIndex = openIndexPool(`postgres://${silent.host}/index`, never)
    const rpc = openRpc(`http://${silent.host}`, REQUESTS)
    const windows = await redisWindows(`redis://${silent.host}`, pino({ level: 'silent' }))
    const [others, none] = await Promise.all([
      serveApi({ db: api.db, index: hungIndex, rpc, settings: api.settings, windows }),
      serveApi({ db: hungDb, index: hungIndex, rpc, settings: api.settings, windows }),
    ])
    context.after(async () => {
      await Promise.all([others.stop(), none.stop(), windows.stop()])
      silent.stop()
      await Promise.all([hungDb.destroy(), hungIndex.destroy()])
    })
    const [degraded, ...denied] = await Promise.all([others, none, none].map((server) => server.send('GET', '/readyz')))
    expect(degraded?.body).to.deep.include({ status: 'degraded', node: { alive: false }, chain_index: null })
    const ailing = degraded?.body.ailing as { part: string }[] | undefined
    expect(ailing?.map(({ part }) => part)).to.include.members([...['node', 'chain_index', 'redis']])
    for (const answer of denied) {
      expectProblem(answer, 503, 'service/unavailable')
      expect(answer.body.detail).to.equal('The database does not answer.')
      expect(answer.headers.get('retry-after')).to.equal('1')
    }
  })
})
