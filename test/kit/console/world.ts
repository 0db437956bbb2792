import { parseUrn, urn, urnString } from '../../../protocol/encoding/urn.ts'
import type { Market } from '../../../sdk/market.ts'
import { accept, createParties, deliver, fund, type Parties, place, sign, untilOrder } from '../../e2e/trading.ts'
import { marketOf, type StackSite } from './console.ts'

const WORK = [
  '# Plan',
  '- a rhyme\n- a heron',
  '| line | feet |\n|---|---|\n| 1 | 5 |',
  '> A heron, in each of them.',
  '`code`',
]
const ORG = 'press'

/** Things of each kind that a page of the console shows: their ids, as they stand in addresses. */
export interface World {
  /** By which the person enrols whose things these are: the buyer's owner. */
  link: string
  /** Their id. */
  person: string
  order: string
  dispute: string
  ask: string
  bid: string
  buyer: string
  seller: string
  webhook: string
  org: string
  space: string
  page: string
  task: string
  attachment: string
  comment: string
  decision: string
  secret: string
  /** The token of an invitation to the org. */
  invitation: string
}

/** Has agents trade, and a person work, so that every page of the console has something to show. */
export async function createWorld(site: StackSite): Promise<World> {
  const parties = await createParties(site.stack)
  const { buyer, seller } = parties
  const { body: me } = await buyer.human.call('getMe', {})
  const scopes = ['read', 'transact', 'withdraw', 'manage'] as const
  const { body: token } = await buyer.human.call('mintToken', {
    body: { owner_urn: me.owner_urn, scopes: [...scopes] },
  })
  const person = marketOf(site, token.secret)
  const operator = marketOf(site, site.stack.credentials.operator_token)
  const params = { urn: urnString('human', me.urn.body) }
  const [{ body: enrolment }, traded, disputed, listed, worked] = await Promise.all([
    operator.call('issueEnrolment', { params }),
    trade(site, parties),
    dispute(site, parties),
    list(site, parties, person),
    work(site, person, token.secret),
  ])
  const link = `${site.sandbox.console_url}/enrol#${enrolment.enrolment}`
  return {
    link,
    person: me.urn.body,
    ...traded,
    dispute: disputed,
    ...listed,
    ...worked,
    buyer: buyer.agentId,
    seller: seller.agentId,
  }
}

async function fundedOrder(site: StackSite, parties: Parties): Promise<string> {
  const { urn: order, offer } = await place(parties, { mode: 'custodied' })
  await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
  await deliver(parties.seller, await untilOrder(parties.buyer, order, 'funded'))
  await untilOrder(parties.buyer, order, 'delivered')
  return order
}

async function trade(site: StackSite, parties: Parties): Promise<Pick<World, 'order'>> {
  const order = await fundedOrder(site, parties)
  await accept(parties.buyer, order)
  await untilOrder(parties.buyer, order, 'final')
  const body = { order_urn: order, rating: 4, comment: 'On time, and it rhymes.' }
  await marketOf(site, parties.buyer.token).call('rateOrder', { body })
  return { order: parseUrn('order', order) ?? '' }
}

async function dispute(site: StackSite, parties: Parties): Promise<string> {
  const order_urn = await fundedOrder(site, parties)
  const buyer = marketOf(site, parties.buyer.token)
  await buyer.call('rejectOrder', { params: { urn: order_urn }, body: { reason: 'A line is missing.' } })
  const claim = { grounds: ['incomplete' as const], what_happened: 'A line is missing.', requested_refund: '5.000000' }
  const opener_urn = urn('agent', parties.buyer.agentId)
  return (await buyer.call('openDispute', { body: { order_urn, opener_urn, claim } })).body.urn.body
}

async function list(site: StackSite, { buyer, seller }: Parties, person: Market) {
  const [buying, selling] = [marketOf(site, buyer.token), marketOf(site, seller.token)]
  const description = 'Forty-two lines of **verse** on any subject, with a heron in each of them.'
  const { body: ask } = await buying.call('createAsk', { body: { title: 'Prose', description, price: '12.500000' } })
  const { body: bid } = await buying.call('createBid', {
    body: { title: 'Verse', description, max_price: '40.000000' },
  })
  await selling.call('createQuote', { body: { bid_urn: bid.urn, price: '35.000000' } })
  const url = 'http://127.0.0.1:9/a/long/path/of/a/receiver/that/does/not/listen'
  const { body: webhook } = await person.call('createWebhook', { body: { url, event_types: ['*'] } })
  const { body } = webhook.subscription.urn
  await person.call('testWebhook', { params: { urn: urnString('webhook', body) } })
  return { ask: ask.urn.body, bid: bid.urn.body, webhook: body }
}

async function work(site: StackSite, person: Market, token: string) {
  const params = { org: ORG }
  await person.call('createOrg', { body: { slug: ORG, display_name: 'The press' } })
  const { body: space } = await person.call('createSpace', {
    params,
    body: { name: 'Next issue', visibility: 'private' },
  })
  const text = WORK.join('\n\n')
  const { body: page } = await person.call('createPage', { params, body: { space: space.id, title: 'Verse', text } })
  const about = { space: space.id, page: page.id }
  const { body: task } = await person.call('createTask', { params, body: { ...about, title: 'Proofread', text } })
  const { body: comment } = await person.call('createComment', { params, body: { page: page.id, text: 'Seen.' } })
  const { body: decision } = await person.call('recordDecision', {
    params,
    body: { ...about, title: 'It rhymes', text },
  })
  const { body: secret } = await person.call('createSecret', {
    params,
    body: { name: 'printer', value: 'correct horse' },
  })
  const { body: orgs } = await person.call('listOrgs', {})
  const { body: invited } = await person.call('inviteByEmail', {
    params: { urn: urnString('org', orgs.orgs[0]?.urn.body ?? '') },
    body: { email: 'ada@example.org' },
  })
  const invitation = String(invited.link).replace(/^.*#/, '')
  const form = new FormData()
  form.set('page', page.id)
  form.set('file', new Blob([text]), 'verse.md')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${site.sandbox.base_url}/orgs/${ORG}/attachments`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { short_id: attachment } = (await answer.json()) as { short_id: string }
  const [shortSpace, shortPage] = [space.short_id, page.short_id]
  const rest = { task: task.short_id, comment: comment.short_id, decision: decision.short_id, secret: secret.short_id }
  return { org: ORG, invitation, space: shortSpace, page: shortPage, attachment, ...rest }
}
