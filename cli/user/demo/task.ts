import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import type { UrnObject } from '../../../protocol/encoding/urn.ts'
import { type SignedReceipt, signedReceipt } from '../../../protocol/records/receipt.ts'
import { createMarket } from '../../../sdk/market.ts'
import type { SandboxFile } from '../../machine/sandboxFile.ts'
import type { Parties } from './parties.ts'
import { deliver, orderAndSign, PRICE, pathOf, type TradeInput, type TradeStep, untilOrder, urnText } from './trade.ts'

/** A trade that did a task of the buyer's org, and the resulting page. */
export interface TaskRecord {
  order_urn: string
  /** The states that the task went through with its order. */
  task: { short_id: string; states: string[] }
  page: { short_id: string; title: string; text: string; published_version: number | null }
  /** The results of a search for it in the org, best first. */
  found: { type: string; title: string; snippet: string }[]
  steps: TradeStep[]
  receipt: SignedReceipt
}

type Input = Omit<TradeInput, 'mode'> & { sandbox: Pick<SandboxFile, 'base_url'> }

/**
 * Has the seller do a task of the buyer's org: the task is offered as a bid and follows the state of its
 * order, and the delivery becomes the text of the task's page. Throws when a step fails.
 */
export async function taskTrade({ sandbox, parties, chain, onStep }: Input): Promise<TaskRecord> {
  const { buyer, seller } = parties
  const files = await fileTask(sandbox, parties)
  const { params, page, task } = files
  const steps: TradeStep[] = []
  const states: string[] = []
  const note = (step: string, state: string, transaction?: Hex) => {
    const done: TradeStep = { step, state, ...(transaction ? { transaction } : {}) }
    steps.push(done)
    onStep(done)
  }
  const follow = async (who = buyer) => {
    const { body } = await who.client.call('getTask', { params: task })
    states.push(body.state)
    note(`  the task of ${params.org} is`, body.state)
  }
  const on = await offer(parties, task)
  await follow()
  const { order_urn: urn } = await orderAndSign({ mode: 'custodied', parties, chain, note, on })
  const funded = await untilOrder(parties, urn, ({ state }) => state === 'funded')
  note('hot wallet holds it', funded.state, funded.hold?.deposit_tx)
  // The seller can read this task of the buyer's org, and nothing else there.
  await follow(seller)
  note('seller delivers', await deliver(parties, funded))
  await follow()
  const accepted = await buyer.client.call('acceptOrder', { params: { urn: pathOf(urn) } })
  note('buyer accepts', accepted.body.state)
  await follow()
  const written = await writePage(parties, page, urnText(funded.thread_urn, 'thread'))
  const settled = await untilOrder(parties, urn, ({ state, hold }) => state === 'final' && hold?.release_tx != null)
  note('hot wallet pays the seller', settled.state, settled.hold?.release_tx ?? undefined)
  const found = await buyer.client.call('searchWorkspace', { params, query: { q: 'verse' } })
  const { body: receipt } = await seller.client.call('getReceipt', {
    params: { urn: urnText(settled.receipt_urn, 'receipt') },
  })
  return {
    order_urn: pathOf(urn),
    task: { short_id: task.ref, states },
    page: written,
    found: found.body.items.map(({ type, title, snippet }) => ({ type, title, snippet })),
    steps,
    receipt: signedReceipt.parse(receipt.signed),
  }
}

/** Founds an org of the buyer's owner, with a private space, a page, and a task that is about it. */
async function fileTask({ base_url: baseUrl }: Input['sandbox'], { buyer }: Parties) {
  const owner = createMarket({ baseUrl, token: buyer.ownerToken })
  const params = { org: `press-${randomUUID().slice(0, 8)}` }
  await owner.call('createOrg', { body: { slug: params.org, display_name: 'The press' } })
  const { body: space } = await owner.call('createSpace', {
    params,
    body: { name: 'Next issue', visibility: 'private' },
  })
  const { body: page } = await buyer.client.call('createPage', {
    params,
    body: { space: space.id, title: 'Lines on a heron' },
  })
  const { body: task } = await buyer.client.call('createTask', {
    params,
    body: { space: space.id, page: page.id, title: 'Verse on a heron', text: 'Forty-two lines of verse.' },
  })
  return { params, page: { ...params, ref: page.short_id }, task: { ...params, ref: task.short_id } }
}

interface Ref {
  org: string
  ref: string
}

/** Offers a task as a bid, which the seller answers with a quote. */
async function offer({ buyer, seller }: Parties, task: Ref): Promise<{ bid_urn: UrnObject; quote_urn: UrnObject }> {
  const { body: offered } = await buyer.client.call('offerTask', { params: task, body: { max_price: PRICE } })
  if (!offered.bid_urn) throw new Error('the task was offered without a bid')
  const { body: quote } = await seller.client.call('createQuote', { body: { bid_urn: offered.bid_urn, price: PRICE } })
  return { bid_urn: offered.bid_urn, quote_urn: quote.urn }
}

/** Writes the delivery on a page, and publishes it. */
async function writePage({ buyer }: Parties, page: Ref, thread: string): Promise<TaskRecord['page']> {
  const { body: read } = await buyer.client.call('listMessages', { params: { urn: thread }, query: {} })
  const delivery = read.messages.find(({ kind }) => kind === 'delivery_notice')
  if (delivery?.body === undefined) throw new Error('the delivery is not in the thread')
  await buyer.client.call('editPage', { params: page, body: { text: delivery.body } })
  const { body: published } = await buyer.client.call('publishPage', { params: page })
  const { short_id, title, text, published_version } = published
  return { short_id, title, text, published_version }
}
