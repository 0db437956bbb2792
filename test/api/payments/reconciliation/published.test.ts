import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { readMetrics } from '../../../../api/metrics/gauges.ts'
import { readLogMetrics } from '../../../../api/metrics/readers.ts'
import { closeIntent, requestIntent } from '../../../../api/payments/chain/intents.ts'
import { type Comparison, recordComparison } from '../../../../api/payments/reconciliation/internal/record.ts'
import { stopPayouts } from '../../../../api/payments/stops/stops.ts'
import { writeCursor } from '../../../../api/platform/events/cursor.ts'
import { emit } from '../../../../api/platform/events/emit.ts'
import { webhookEvents } from '../../../../api/platform/webhooks/module.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { newHash } from '../../../kit/api/payments/escrow/world.ts'
import { type Api, startApi } from '../../../kit/api/platform/http/api.ts'

const seen = { escrowMicros: 20_000_000n, owedMicros: 20_000_000n, walletMicros: 5n }
const good: Comparison = {
  ...{
    checked_at: new Date(),
    database_epoch: 'this',
    block_number: 7n,
    block_hash: newHash(),
    lag_blocks: 1n,
    lag_seconds: 2n,
    is_ok: true,
  },
  ...{
    figures: { booked: seen, seen },
    findings: [],
    differs_since_head: null,
    shortages: {},
    log_epoch: 'one',
    log_place: 1n,
    below: {},
  },
  ...{ account_cursor: 0n, transfer_cursor: 0n, swept_at: new Date() },
}
const bad: Comparison = {
  ...good,
  ...{ is_ok: false, figures: { booked: { ...seen, walletMicros: -1n }, seen } },
  findings: ['one', 'two'].map((subject) => ({ code: 'hold/order', subject, booked: '1', expected: '2' })),
}

describe('what is published of the reconciliation', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })

  after(() => api?.stop())

  const record = (look: Comparison) =>
    api.db.transaction().execute((tx) => recordComparison(tx, api.settings, { ...look, checked_at: new Date() }))
  const read = async () => (await api.send('GET', '/v1/public/reconciliation')).body.reconciliation
  const metrics = async () => {
    const lines = (await readMetrics(api.db)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return Object.fromEntries(lines.map((line) => line.split(' '))) as Record<string, string>
  }

  test('is nothing before the first look', async () => {
    expect(await read()).to.equal(null)
    expect(await metrics()).to.deep.equal({
      ...{ market_fence_open: '1', market_intents_open: '0' },
      ...{ market_payouts_pending: '0', market_payouts_pending_seconds: '0' },
      ...{ 'market_payout_stops{place="hot_wallet"}': '0', 'market_payout_stops{place="escrow"}': '0' },
      ...{ market_webhook_deliveries_open: '0', market_webhook_lag_seconds: '0' },
    })
  })

  test('is the last one: its block, its lag, and the figures of both sides, for everybody', async () => {
    await record(bad)
    await record(good)
    const { escrow, hotWallet, token } = api.settings.chain
    const both = (amount: string) => ({ booked: amount, on_chain: amount })
    expect(await read()).to.deep.include({
      ...{ block_number: 7, block_hash: good.block_hash, lag: { blocks: 1, seconds: 2 }, is_ok: true, token },
      escrow: { address: escrow, balance: both('20.000000'), owed: both('20.000000') },
      hot_wallet: { address: hotWallet, balance: both('0.000005') },
      ...{ findings: [], stopped: { hot_wallet: false, escrow: false }, age_seconds: 0 },
    })
    expect(await metrics()).to.include({ market_reconciliation_ok: '1', market_reconciliation_lag_blocks: '1' })
  })

  test('says that something differs and what stands still, and names nobody', async () => {
    await record(bad)
    await api.db.transaction().execute((tx) => stopPayouts(tx, { actor: 'service', place: 'escrow', reason: 'So.' }))
    const published = await read()
    expect(published).to.deep.include({
      ...{ is_ok: false, findings: [{ code: 'hold/order', count: 2 }], stopped: { hot_wallet: false, escrow: true } },
    })
    expect(published).to.have.nested.property('hot_wallet.balance.booked', '-0.000001')
    expect(await metrics()).to.include({
      ...{ market_reconciliation_ok: '0', market_reconciliation_findings: '2' },
      'market_payout_stops{place="escrow"}': '1',
    })
  })

  test('is nothing that somebody else put on file [risk market-worker]', async () => {
    await sql`insert into market.reconciliations (database_epoch, block_number, block_hash, lag_blocks, lag_seconds, is_ok,
        figures, findings, shortages, log_epoch, log_place, below, account_cursor, swept_at, seal)
      select database_epoch, block_number, block_hash, 0, 0, true, figures, '[]', '{}', log_epoch, log_place, below, 0, now(),
        'of nobody' from market.reconciliations order by id limit 1`.execute(api.db)
    expect(await read()).to.equal(null)
    await record(bad)
    expect(await read()).to.include({ is_ok: false })
  })

  test('stays to be read for hours, the last look first', async () => {
    const page = async (query: string) => (await api.send('GET', `/v1/public/reconciliation/history?${query}`)).body
    const first = await page('limit=3')
    const second = await page(`limit=3&cursor=${first.next_cursor}`)
    const looks = [first, second].flatMap(({ reconciliations }) => reconciliations as Record<string, unknown>[])
    expect(looks.map(({ is_ok, findings }) => ({ is_ok, findings }))).to.deep.equal([
      { is_ok: false, findings: 2 },
      { is_ok: false, findings: 2 },
      { is_ok: true, findings: 0 },
      { is_ok: false, findings: 2 },
    ])
    expect(second.next_cursor).to.equal(null)
    expect(looks[2]).to.have.nested.property('escrow.owed.on_chain', '20.000000')
  })

  test('counts what is to be done, what stands still, and whether money may move', async () => {
    const requested = (attempt: number) =>
      api.db
        .transaction()
        .execute((tx) =>
          requestIntent(tx, { key: 'sweep:1', attempt, orderId: null }, { kind: 'sweep', sequence: 1n, amount: 1n }),
        )
    const before = await metrics()
    await requested(1)
    await requested(2)
    await api.db.transaction().execute((tx) => closeIntent(tx, 'sweep:1', 'failed'))
    const stop = (place: 'escrow' | 'hot_wallet') =>
      api.db.transaction().execute((tx) => stopPayouts(tx, { actor: 'service', place, reason: 'So.' }))
    for (const place of ['hot_wallet', 'hot_wallet', 'escrow'] as const) await stop(place)
    await sql`update market.payout_stops set lifted_at = now(), lifted_by = 'x' where place = 'escrow'`.execute(api.db)
    await sql`insert into market.deposits (payer, nonce, amount_micros, tx_hash, payee_payout_nonce, payer_payout_nonce)
      select '0x', n, 1, '0x', 'payee' || n, 'payer' || n from unnest(array['pending', 'blocked']) n`.execute(api.db)
    for (const state of ['pending', 'blocked'])
      await sql`insert into market.payouts (id, state, leg, amount_micros, deposit_from, deposit_nonce, nonce, human_id, created_at)
        values (gen_random_uuid(), ${state}, 'payee', 1, '0x', ${state}, ${state}, ${api.first.human_urn.split(':').at(-1)},
          market.now() - case ${state} when 'pending' then interval '1 hour' else interval '9 hours' end)`.execute(
        api.db,
      )
    await sql`update market.chain_progress set database_epoch = 'an earlier one'`.execute(api.db)
    expect(before).to.include({ market_fence_open: '1', market_payouts_pending: '0', market_intents_open: '0' })
    expect(await metrics()).to.include({
      ...{ market_fence_open: '0', market_payouts_pending: '1', market_intents_open: '0' },
      ...{ 'market_payout_stops{place="hot_wallet"}': '2', 'market_payout_stops{place="escrow"}': '0' },
    })
    expect(Number((await metrics()).market_payouts_pending_seconds)).to.be.within(3_600, 3_660)
    await requested(3)
    expect(await metrics()).to.include({ market_intents_open: '1' })
  })

  test('is kept for three hours, not for ever', async () => {
    await sql`update market.reconciliations set checked_at = checked_at - interval '3 hours'`.execute(api.db)
    await record(good)
    const { rows } = await sql`select from market.reconciliations`.execute(api.db)
    expect(rows).to.have.length(1)
  })

  test('is also how far the readers of the log are behind it, and what waits for its place in it', async () => {
    const read = async () => {
      const lines = (await readLogMetrics(api.db)).matchAll(/^(market_\S+) (\S+)$/gm)
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
    }
    const place = () => sql`select market.place_acts(1000, true)`.execute(api.db)
    await place()
    const { rows } = await sql<{ epoch: string; last: bigint }>`
      select epoch, last_place as last from market.event_log, market.event_epochs where ended_place is null`.execute(
      api.db,
    )
    const { epoch, last } = rows[0] ?? { epoch: '', last: 0n }
    const consumer = (name: string, cursor: string) =>
      api.db.insertInto('market.event_consumers').values({ name, cursor }).execute()
    await consumer('one', writeCursor(epoch, last))
    await consumer('restored', writeCursor('00000000', last + 1_000n))
    const payload = { webhook_urn: urnString('webhook', newId()), status: 'paused' } as const
    const paused = webhookEvents['webhook.subscription.paused']
    await api.db.transaction().execute((tx) => emit(tx, paused, { payload, visibleTo: [] }))
    const waiting = await read()
    expect(waiting).to.include({ market_events_unplaced: 1, 'market_reader_lag_events{reader="one"}': 0 })
    expect(waiting.market_events_unplaced_seconds).to.be.above(0)
    await place()
    expect(await read()).to.include({
      ...{ market_events_unplaced: 0, market_events_unplaced_seconds: 0 },
      ...{ 'market_reader_lag_events{reader="one"}': 1, 'market_reader_lag_events{reader="restored"}': 0 },
    })
  })
})
