import { sql } from 'kysely'
import { sha256Hex } from '../../../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../../../protocol/encoding/urn.ts'
import { funded, placed, threadOf } from '../../../trading.ts'
import type { Rule } from './rules.ts'
import { newQuote, openedDispute, rejectedOrder, type World } from './things.ts'
import {
  agentOf,
  firstSpace,
  form,
  inOrg,
  send,
  withAttachment,
  withComment,
  withDecision,
  withEntry,
  withPage,
  withSecret,
  withTask,
} from './workspaceRules.ts'

/** A further way to call an operation: with ids that depend on each other, or where no id is required. */
type FurtherCall = Pick<Rule, 'name' | 'owner' | 'ok'>

const BYTES = { raw: 'work', headers: { 'content-type': 'application/octet-stream' } }
const TUS = { 'tus-resumable': '1.0.0', 'upload-length': '3' }

/** By operation. */
export const FURTHER_CALLS: Readonly<Record<string, readonly FurtherCall[]>> = {
  placeOrder: [
    called(402, async (world) => {
      const { urn: quote_urn } = await newQuote(world)
      const { body } = await world.buyer.client.call('getQuote', { params: { urn: quote_urn } })
      return { body: { bid_urn: urnString('bid', body.bid_urn.body), quote_urn } }
    }),
  ],
  uploadDelivery: [
    {
      owner: 'seller',
      ok: 201,
      name: async ({ market, buyer, seller }) => {
        const { urn } = await funded(market, await placed(buyer, seller, 'custodied'))
        return { query: `?order_urn=${urn}&output_hash=${sha256Hex('work')}`, ...BYTES }
      },
    },
  ],
  openDispute: [
    called(201, async (world) => {
      const order = await rejectedOrder(world)
      const evidence = [await messageIn(world, await threadOf(order))]
      return { body: { order_urn: order.urn, opener_urn: agentOf(world), claim: 'Two lines are missing.', evidence } }
    }),
  ],
  respondToDispute: [
    {
      owner: 'seller',
      ok: 200,
      name: async (world) => {
        const { urn, evidence } = await disputedMessage(world)
        return { urn, body: { response: 'All lines are there.', evidence } }
      },
    },
  ],
  submitEvidence: [
    called(200, async (world) => {
      const { urn, evidence } = await disputedMessage(world)
      return { urn, body: { evidence } }
    }),
  ],
  createPage: [
    called(201, async (world) => {
      const { org, ref: parent } = await withPage(world)
      return { path: { org }, body: { space: await firstSpace(world, org), parent, title: 'Plan' } }
    }),
  ],
  createComment: [
    called(201, async (world) => {
      const { org, ref: task } = await withTask(world)
      return { path: { org }, body: { task, text: 'Why?' } }
    }),
    called(201, async (world) => {
      const { org, ref: thread } = await withComment(world)
      const { page_id: page } = await send(world, 'GET', `/orgs/${org}/comments/${thread}`)
      return { path: { org }, body: { page, thread, text: 'So.' } }
    }),
  ],
  recordDecision: [
    called(201, async (world) => {
      const { org, ref: supersedes } = await withDecision(world)
      return { path: { org }, body: { space: await firstSpace(world, org), supersedes, title: 'Prose' } }
    }),
  ],
  startImport: [
    called(201, async (world) => {
      const { org, ref: attachment } = await withAttachment(world)
      const space = await firstSpace(world, org)
      const parent = await send(world, 'POST', `/orgs/${org}/pages`, { body: { space, title: 'Plan' } })
      return { path: { org }, body: { attachment, space, parent: String(parent.short_id) } }
    }),
  ],
  updateAttachment: [
    called(200, async (world) => {
      const path = await withAttachment(world)
      const { page_id } = await send(world, 'GET', `/orgs/${path.org}/attachments/${path.ref}`)
      const entry = await send(world, 'POST', `/orgs/${path.org}/pages/${page_id}/entries`, { body: { text: 'One' } })
      return { path, body: { entry: String(entry.short_id) } }
    }),
  ],
  uploadAttachment: [
    called(201, async (world) => {
      const { org, ref } = await withPage(world)
      return { path: { org }, ...form(ref) }
    }),
  ],
  createUpload: [
    called(201, async (world) => {
      const { org, ref: page } = await withPage(world)
      return { headers: { ...TUS, ...metadata({ org, page }) } }
    }),
    called(201, async (world) => {
      const { org, ref: entry } = await withEntry(world)
      const { page_id: page } = await send(world, 'GET', `/orgs/${org}/entries/${entry}`)
      return { headers: { ...TUS, ...metadata({ org, page: String(page), entry }) } }
    }),
  ],
  revealSecret: [
    called(200, async (world) => {
      const path = await withSecret(world)
      const body = { question: 'May I?', secret: path.ref }
      const { id: confirmation } = await send(world, 'POST', `/orgs/${path.org}/confirmations`, { body })
      const answer = { token: world.buyer.humanToken, body: { answer: 'confirmed' } }
      await world.market.api.send('POST', `/orgs/${path.org}/confirmations/${confirmation}/answer`, answer)
      return { path, body: { confirmation } }
    }),
  ],
  markNotificationsRead: [
    called(200, async (world) => {
      const path = await inOrg(world)
      return { path, body: { ids: [await notificationOf(world, path.org)] } }
    }),
  ],
  markTradeNotificationsRead: [called(200, async (world) => ({ body: { ids: [await notificationOf(world, null)] } }))],
}

function called(ok: number, name: Rule['name']): FurtherCall {
  return { owner: 'buyer', ok, name }
}

/** A dispute, and a message of the buyer in its order's thread. */
async function disputedMessage(world: World): Promise<{ urn: string; evidence: string[] }> {
  const { urn } = await openedDispute(world)
  const { body: dispute } = await world.buyer.client.call('getDispute', { params: { urn } })
  const { body: order } = await world.buyer.client.call('getOrder', {
    params: { urn: urnString('order', dispute.order_urn.body) },
  })
  const thread = urnString('thread', order.thread_urn?.body ?? '')
  return { urn, evidence: [await messageIn(world, thread)] }
}

async function messageIn(world: World, thread_urn: string): Promise<string> {
  const reply = await send(world, 'POST', '/v1/messages', {
    body: { thread_urn, kind: 'text', body: 'Two are missing.' },
  })
  return String(reply.urn)
}

function metadata(values: Readonly<Record<string, string>>) {
  const pairs = Object.entries({ ...values, filename: 'verse.txt' })
  return { 'upload-metadata': pairs.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',') }
}

/** An unread notification of the buyer's agent, of an org or of trades. */
async function notificationOf({ market, buyer }: World, org: string | null): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into market.notifications (id, org_id, account_id, human_id, kind, role, entity_type, entity_id, cause)
    select market.new_id(), org.id, ${buyer.agentId}, ${buyer.humanId}, 'order.funded', 'seller', 'order', market.new_id(),
      case when org.id is null then market.new_id() end
    from (select 1) one left join market.orgs org on org.slug = ${org} returning id`.execute(market.api.db)
  return rows[0]?.id ?? ''
}
