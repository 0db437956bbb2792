import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pino from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { endLapsedOffers } from '../../../../api/workspace/tasks/leases.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { ReplyBody } from '../../../kit/api/platform/http/api.ts'
import {
  deliver,
  funded,
  newTrader,
  type PlacedOrder,
  passTime,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'
import { sendForm } from '../../../kit/api/workspace/world.ts'

/** What an org plans, which is nobody else's. */
const PLAN = { due_on: '2026-12-01', labels: ['secret client'], priority: 'high' }

describe('a task that is offered on the market', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let org: string
  let space: string
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
    org = `org-${randomUUID().slice(0, 8)}`
    await send('POST', '/v1/me/orgs', { slug: org, display_name: 'Org' }, buyer.humanToken)
    space = String((await ok('POST', '/spaces', { name: 'Plans', visibility: 'private' }, 201)).id)
  })
  after(() => market.stop())

  const send = (method: string, path: string, body?: object, token = buyer.token) =>
    market.api.send(method, path, { token, redirect: 'manual', ...(body ? { body } : {}) })
  const ok = async (method: string, path: string, body?: object, status = 200, token = buyer.token) => {
    const reply = await send(method, `/orgs/${org}${path}`, body, token)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(status)
    return reply.body
  }
  const statusOf = async (path: string, token: string) =>
    (await send('GET', `/orgs/${org}${path}`, undefined, token)).status
  const offered = async () => {
    const page = await ok('POST', '/pages', { space, title: 'Brief', text: 'Inside' }, 201)
    const [mine, other] = await Promise.all(['mine.txt', 'other.txt'].map((name) => attach(String(page.id), name)))
    const { id } = await ok(
      'POST',
      '/tasks',
      { space, page: page.id, title: 'Verse', text: 'Forty-two lines.', ...PLAN },
      201,
    )
    await ok('PUT', `/tasks/${id}/files/${mine}`)
    const task = await ok('POST', `/tasks/${id}/offer`, { max_price: '20.000000' })
    return { id: String(id), page: String(page.id), mine, other, bid: (task.bid_urn as { body: string }).body }
  }
  const attach = async (page: string, name: string) => {
    const parts = [
      ['page', page],
      ['file', new File(['albatross'], name)],
    ] as const
    const { body } = await sendForm(`${market.api.baseUrl}/orgs/${org}/attachments`, buyer.token, parts)
    return String(body.id)
  }
  const replace = async (attachment: string, words: string) => {
    const headers = { Authorization: `Bearer ${buyer.token}`, 'Content-Type': 'text/plain' }
    const path = `${market.api.baseUrl}/orgs/${org}/attachments/${attachment}/content`
    expect((await fetch(path, { method: 'PUT', headers, body: words })).status).to.equal(200)
  }
  /** The link that the seller's human is led to, and what is behind it. */
  const linkOf = async (path: string) => {
    const { status, headers } = await send('GET', `/orgs/${org}${path}`, undefined, seller.humanToken)
    expect(status, path).to.equal(302)
    return String(headers.get('location')).replace(market.api.settings.baseUrl, market.api.baseUrl)
  }
  const bytesOf = async (path: string) => (await fetch(await linkOf(path))).text()
  const ordered = async (bid: string): Promise<PlacedOrder> => {
    const bid_urn = urnString('bid', bid)
    const { body: quote } = await seller.client.call('createQuote', { body: { bid_urn, price: '20.000000' } })
    const body = { bid_urn, quote_urn: quote.urn, escrow_mode: 'custodied' } as const
    const answer = await buyer.client.call('placeOrder', { body })
    if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}`)
    const { body: id } = answer.body.order_urn
    return { id, urn: urnString('order', id), buyer, seller, offer: answer.body }
  }
  const stateOf = async (id: string): Promise<ReplyBody> => ok('GET', `/tasks/${id}`)
  const lapse = () => {
    const { db, settings } = market.api
    return endLapsedOffers({ db, rpc: openRpc('http://127.0.0.1:9'), settings, log: pino({ level: 'silent' }) })
  }
  const decide = async (order: PlacedOrder, how: string, body?: object) =>
    expect((await send('POST', `/v1/orders/${order.urn}/${how}`, body)).status).to.equal(200)

  it('goes where its order goes: delivered it is submitted, rejected it is rejected, accepted it is approved [spec w6.1:5]', async () => {
    const task = await offered()
    const order = await ordered(task.bid)
    expect((await stateOf(task.id)).state).to.equal('offered')
    await funded(market, order)
    expect(await stateOf(task.id)).to.deep.include({
      state: 'claimed',
      claimed_by: urnString('agent', seller.agentId),
      order_urn: { prefix: 'order', body: order.id },
    })
    // Its order moves it, as long as that runs; its files are the org's.
    expect((await stateOf(task.id)).may).to.deep.equal(['plan', 'change_files'])
    expect((await ok('GET', `/tasks/${task.id}`, undefined, 200, seller.token)).may).to.deep.equal([])
    for (const step of ['release', 'archive', 'withdraw-offer']) {
      const { body } = await send('POST', `/orgs/${org}/tasks/${task.id}/${step}`)
      expect(body.code, step).to.equal('task_of_order')
    }
    await deliver(order)
    expect((await stateOf(task.id)).state).to.equal('submitted')
    const { body: told } = await send('GET', `/orgs/${org}/notifications`)
    expect((told.items as { kind: string }[]).map(({ kind }) => kind)).to.include('task.submitted')
    const approved = await send('POST', `/orgs/${org}/tasks/${task.id}/approve`)
    expect(approved.body.code).to.equal('task_of_order')
    await decide(order, 'reject', { reason: 'Two lines are missing.' })
    expect(await stateOf(task.id)).to.include({ state: 'rejected', reason: 'Two lines are missing.' })
    await deliver(order)
    expect((await stateOf(task.id)).state).to.equal('submitted')
    expect((await stateOf(task.id)).may).to.deep.equal(['plan', 'change_files'])
    await decide(order, 'accept')
    const done = await stateOf(task.id)
    expect(done.state).to.equal('approved')
    expect(done.may).to.have.members(['refile', 'update', 'plan', 'archive', 'change_files'])
  })

  it('is read by its seller with its files while the order runs, and so is nothing else', async () => {
    const task = await offered()
    const order = await ordered(task.bid)
    const readable = [`/tasks/${task.id}`, `/attachments/${task.mine}`, `/attachments/${task.mine}/text`]
    for (const path of readable) expect(await statusOf(path, seller.token), path).to.equal(404)
    await funded(market, order)
    const known = await send('GET', `/v1/orders/${order.urn}/task`, undefined, seller.token)
    const { page_id, files, ...own } = await ok('GET', `/tasks/${task.id}`)
    expect(page_id).to.equal(task.page)
    expect(own).to.deep.include(PLAN)
    const unplanned = { page_id: null, assignee: null, due_on: null, labels: [], priority: 'none' }
    const unseen = { page_id: null, page_short_id: null, entry_id: null }
    const shown = (files as object[]).map((file) => ({ ...file, ...unseen, may: [] }))
    expect(shown).to.have.length(1).and.not.deep.equal(files)
    expect(known.body).to.deep.equal({ org, task: { ...own, ...unplanned, may: [], files: shown } })
    expect(await ok('GET', `/attachments/${task.mine}`, undefined, 200, seller.token)).to.include(unseen)
    for (const path of readable) {
      expect(await statusOf(path, seller.token), path).to.equal(200)
      expect(await statusOf(path, seller.humanToken), path).to.equal(200)
    }
    const link = await send('GET', `/orgs/${org}/attachments/${task.mine}/download`, undefined, seller.humanToken)
    const url = String(link.headers.get('location')).replace(market.api.settings.baseUrl, market.api.baseUrl)
    expect(await (await fetch(url)).text()).to.equal('albatross')

    const rival = await newTrader(market)
    const other = await offered()
    const closed = [
      ...['/spaces', '/pages', '/tasks', '/attachments', '/search?q=albatross', '/usage', `/pages/${task.page}`],
      ...[`/attachments/${task.other}`, `/attachments/${other.mine}`, `/attachments/${task.mine}/versions`],
      `/tasks/${other.id}`,
    ]
    for (const path of closed) expect(await statusOf(path, seller.token), path).to.equal(404)
    for (const path of readable) expect(await statusOf(path, rival.token), path).to.equal(404)
    const hidden = await send('GET', `/v1/orders/${order.urn}/task`, undefined, rival.token)
    const nothing = await send('GET', `/v1/orders/${urnString('order', randomUUID())}/task`, undefined, rival.token)
    expect([hidden.status, hidden.body.detail]).to.deep.equal([404, nothing.body.detail])
    const edited = await send('PATCH', `/orgs/${org}/tasks/${task.id}`, { title: 'Mine' }, seller.token)
    expect(edited.status).to.equal(404)

    await send('PUT', `/orgs/${org}/kill-switch`, { engaged: true }, buyer.humanToken)
    expect(await statusOf(`/tasks/${task.id}`, seller.token)).to.equal(404)
    await send('PUT', `/orgs/${org}/kill-switch`, { engaged: false }, buyer.humanToken)
    await deliver(order)
    await decide(order, 'accept')
    for (const path of readable) expect(await statusOf(path, seller.token), path).to.equal(404)
    expect((await fetch(url)).status).to.equal(404)
  })

  it('keeps its files from being deleted for good until its order has ended', async () => {
    const task = await offered()
    const mine = String(task.mine)
    await replace(mine, 'a later version')
    const version = `/attachments/${mine}/versions/1`
    const drop = () => send('DELETE', `/orgs/${org}${version}`, undefined, buyer.humanToken)
    const purge = () => send('POST', `/orgs/${org}/attachments/${mine}/purge`, undefined, buyer.humanToken)
    const held = async (what: typeof drop) => {
      const { status, body } = await what()
      expect([status, body.code]).to.deep.equal([409, 'attachment_held'])
    }
    const order = await ordered(task.bid)
    await held(drop)
    await funded(market, order)
    await held(drop)
    await ok('DELETE', `/attachments/${mine}`)
    await held(purge)
    await ok('POST', '/trash/empty', undefined, 200, buyer.humanToken)
    expect((await ok('GET', `/attachments/${mine}`)).state).to.equal('trashed')
    await deliver(order)
    await decide(order, 'reject', { reason: 'Two lines are missing.' })
    const dispute = { reason: 'The work is done.', reason_code: 'other' }
    await send('POST', `/v1/orders/${order.urn}/dispute`, dispute, seller.token)
    await held(purge)
    await market.api.db
      .updateTable('market.tasks')
      .set({ order_id: null, state: 'open', bid_id: null, claimed_by: null })
      .where('id', '=', task.id)
      .execute()
    expect((await purge()).status).to.equal(204)
  })

  it('hands its seller of each file the version that was added, none before and none after', async () => {
    const page = String((await ok('POST', '/pages', { space, title: 'Two files', text: '' }, 201)).id)
    const [early, late] = [await attach(page, 'early.txt'), await attach(page, 'late.txt')]
    const { id } = await ok('POST', '/tasks', { space, title: 'Verse', text: '' }, 201)
    await ok('PUT', `/tasks/${id}/files/${early}`)
    for (const file of [early, late]) await replace(file, 'without names')
    await ok('PUT', `/tasks/${id}/files/${late}`)
    const { bid_urn } = await ok('POST', `/tasks/${id}/offer`, { max_price: '20.000000' })
    for (const file of [early, late]) await replace(file, 'for ourselves')
    await funded(market, await ordered((bid_urn as { body: string }).body))

    const shownOf = async (path: string, member = 'version') =>
      (await ok('GET', path, undefined, 200, seller.token))[member]
    for (const file of [early, late]) {
      const path = `/attachments/${file}`
      for (const former of ['1', '3'])
        expect(await statusOf(`${path}/versions/${former}/download`, seller.humanToken), former).to.equal(404)
      for (const download of ['/download', '/versions/2/download'])
        expect(await bytesOf(path + download)).to.equal('without names')
      expect(await shownOf(path)).to.equal(2)
      expect(await shownOf(path, 'size_bytes')).to.equal('without names'.length)
      expect(await shownOf(`${path}/text`)).to.equal(2)
      expect((await ok('GET', path)).version).to.equal(3)
    }
    const { files } = await ok('GET', `/tasks/${id}`, undefined, 200, seller.token)
    expect((files as { version: number }[]).map(({ version }) => version)).to.deep.equal([2, 2])
    await market.api.db.updateTable('market.files').set({ text_state: 'ready', preview_state: 'ready' }).execute()
    const preview = await linkOf(`/attachments/${late}/preview`)
    expect(new URL(preview).pathname).to.match(/[/]2$/)

    const former = await linkOf(`/attachments/${late}/download`)
    await ok('PUT', `/tasks/${id}/files/${late}`)
    expect(await shownOf(`/attachments/${late}`)).to.equal(3)
    expect(await bytesOf(`/attachments/${late}/download`)).to.equal('for ourselves')
    expect((await fetch(former)).status).to.equal(404)
    expect(await shownOf(`/attachments/${early}`)).to.equal(2)
  })

  it('is open again when its order is refunded, and can be offered again', async () => {
    const task = await offered()
    const order = await funded(market, await ordered(task.bid))
    const cancelled = await send('POST', `/v1/orders/${order.urn}/cancel`, { reason_code: 'other' }, seller.token)
    expect(cancelled.status).to.equal(200)
    expect(await stateOf(task.id)).to.include({ state: 'open', order_urn: null, bid_urn: null, claimed_by: null })
    await ok('POST', `/tasks/${task.id}/offer`, { max_price: '21.000000' })
    expect(await ok('POST', `/tasks/${task.id}/withdraw-offer`)).to.include({ state: 'open', bid_urn: null })
  })

  it('stays as it is while it is offered, and is taken off by its agent, its human, or an admin of the org', async () => {
    const task = await offered()
    const edited = await send('PATCH', `/orgs/${org}/tasks/${task.id}`, { text: 'Fifty lines.' })
    expect([edited.status, edited.body.code]).to.deep.equal([409, 'task_state_conflict'])
    const admin = await newTrader(market)
    const withdraw = (token = admin.token) =>
      send('POST', `/orgs/${org}/tasks/${task.id}/withdraw-offer`, undefined, token)
    const mayWithdraw = async (token: string) =>
      ((await ok('GET', `/tasks/${task.id}`, undefined, 200, token)).may as string[]).includes('withdraw_offer')
    const { body } = await send('GET', '/v1/me/orgs', undefined, buyer.humanToken)
    const own = (body.orgs as { slug: string; urn: { body: string } }[]).find(({ slug }) => slug === org)
    const path = `/v1/me/orgs/${urnString('org', own?.urn.body ?? '')}`
    const human_urn = urnString('human', admin.humanId)
    await send('POST', `${path}/invitations`, { human_urn, role: 'member' }, buyer.humanToken)
    await send('POST', `${path}/join`, undefined, admin.humanToken)
    await send('PUT', `/orgs/${org}/spaces/${space}/members/${human_urn}`, undefined, buyer.humanToken)
    expect((await withdraw()).status).to.equal(403)
    expect(await mayWithdraw(admin.token)).to.equal(false)
    expect((await withdraw(admin.humanToken)).status).to.equal(403)
    expect((await stateOf(task.id)).state).to.equal('offered')
    for (const token of [buyer.token, buyer.humanToken]) expect(await mayWithdraw(token)).to.equal(true)
    expect((await withdraw(buyer.humanToken)).body).to.include({ state: 'open', bid_urn: null })
    await ok('POST', `/tasks/${task.id}/offer`, { max_price: '21.000000' })
    await send('PATCH', `${path}/members/${human_urn}`, { role: 'admin' }, buyer.humanToken)
    expect(await mayWithdraw(admin.token)).to.equal(true)
    const withdrawn = await withdraw()
    expect(withdrawn.body).to.include({ state: 'open', bid_urn: null })
    const bid = await send('GET', `/v1/bids/${urnString('bid', task.bid)}`)
    expect(bid.body.state).to.equal('closed')
  })

  it('is taken off the market only while nobody has ordered it', async () => {
    const task = await offered()
    await ordered(task.bid)
    expect((await stateOf(task.id)).may).to.deep.equal(['plan', 'change_files'])
    const { status, body } = await send('POST', `/orgs/${org}/tasks/${task.id}/withdraw-offer`)
    expect([status, body.code]).to.deep.equal([409, 'task_of_order'])
    expect((await stateOf(task.id)).state).to.equal('offered')
  })

  it('is no longer quoted on once an order has begun it', async () => {
    const task = await offered()
    await funded(market, await ordered(task.bid))
    expect((await send('GET', `/v1/bids/${urnString('bid', task.bid)}`)).body.state).to.equal('closed')
  })

  it('is open again when nobody can order it any more: its bid was closed, or is over and no quote on it holds', async () => {
    const [closed, over, quoted, unpaid] = [await offered(), await offered(), await offered(), await offered()]
    await buyer.client.call('closeBid', { params: { urn: urnString('bid', closed.bid) } })
    const order = await ordered(unpaid.bid)
    await buyer.client.call('closeBid', { params: { urn: urnString('bid', unpaid.bid) } })
    await lapse()
    expect(await stateOf(closed.id)).to.include({ state: 'open', bid_urn: null })
    for (const { id } of [over, quoted, unpaid]) expect((await stateOf(id)).state).to.equal('offered')

    await decide(order, 'cancel', { reason_code: 'other' })
    const bids = await market.api.db.selectFrom('market.bids').select('expires_at').where('id', '=', over.bid).execute()
    const bidSeconds = ((bids[0]?.expires_at.getTime() ?? 0) - Date.now()) / 1000 + 60
    const expires_at = new Date(Date.now() + bidSeconds * 1000 + 3_600_000).toISOString()
    const bid_urn = urnString('bid', quoted.bid)
    await seller.client.call('createQuote', { body: { bid_urn, price: '20.000000', expires_at } })
    await passTime(market.api, bidSeconds)
    await lapse()
    for (const { id } of [over, unpaid]) expect(await stateOf(id)).to.include({ state: 'open', bid_urn: null })
    expect((await stateOf(quoted.id)).state).to.equal('offered')
    await passTime(market.api, 3_600)
    await lapse()
    expect((await stateOf(quoted.id)).state).to.equal('open')
  })
})
