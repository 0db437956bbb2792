import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { addressHash } from '../../../../../../api/identity/accounts/addressHash.ts'
import { hashSecret } from '../../../../../../api/identity/authentication/credential.ts'
import { refusalToken } from '../../../../../../api/identity/orgs/answerInvitation.ts'
import { unsubscribeToken } from '../../../../../../api/workspace/mails/deliver.ts'
import { urnString } from '../../../../../../protocol/encoding/urn.ts'
import { authenticatorFor, newBrowser, signIn, signUp } from '../../../identity/passkeys/browser.ts'
import type { Operation } from './document.ts'
import { PIXEL, RULES, type Rule } from './rules.ts'
import { finishedExport, handedIn, invitedByEmail, issuedTicket, placeIn, upload, type World } from './things.ts'

/** What no call can bring about here: why, and which test does. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  getLiabilities:
    'a tree of liabilities is the worker’s to publish, from a chain that is indexed: test/api/payments/liabilities',
  getLiabilitiesAt: 'the same',
  listInclusions: 'the same',
  openEventSocket: 'a handshake opens it: test/api/platform/events/streams.test.ts',
}

const BYTES = { 'content-type': 'application/octet-stream' }
const LINK_TOKEN = 'A'.repeat(43)

/**
 * Does everything there is to do, once and well: what names something as its rule says, and the rest one by
 * one.
 */
export async function doEverything(world: World, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    const rule = RULES[operation.id]
    if (rule) await byRule(world, operation, rule)
    else if (operation.method === 'GET' && !operation.path.includes('{')) await readAll(world, operation)
  }
  await ceremonies(world)
  await oversight(world)
  await ratings(world)
  await payments(world)
  await files(world)
  await exchange(world)
  await preferences(world)
  await mails(world)
  await invitations(world)
  await erase(world)
  await sandbox(world)
}

async function byRule(world: World, { method, path }: Operation, rule: Rule): Promise<void> {
  const naming = await rule.name(world)
  const { body, raw } = naming
  const place = placeIn(path, naming)
  const headers = { 'market-version': rule.version ?? '2026-05-17', ...naming.headers }
  const request = { token: tokenOf(world, rule), headers, ...(raw === undefined ? {} : { raw }) }
  const sent = { ...request, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) }
  const reply = await world.market.api.send(method, place, sent)
  // The file that a link leads to is an operation of its own.
  const link = reply.headers.get('location')
  if (reply.status === 302 && link)
    await fetch(new URL(link.replace(/^https?:\/\/[^/]+/, ''), world.market.api.baseUrl))
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).to.equal(rule.ok)
}

function tokenOf({ market, buyer, seller }: World, { owner }: Rule): string {
  if (owner === 'operator') return market.api.first.operator_token
  if (owner === 'buyerHuman') return buyer.humanToken
  return owner === 'buyer' ? buyer.token : seller.token
}

async function readAll({ market: { api }, buyer }: World, { path }: Operation): Promise<void> {
  for (const token of [buyer.token, buyer.humanToken, api.first.operator_token]) await api.send('GET', path, { token })
}

async function payments({ market: { api } }: World): Promise<void> {
  const { payer, nonce } = await api.db
    .selectFrom('market.authorizations')
    .select(['payer', 'nonce'])
    .limit(1)
    .executeTakeFirstOrThrow()
  await api.send('GET', `/v1/public/payments/${payer}/${nonce}`, {})
}

async function ceremonies({ market: { api } }: World): Promise<void> {
  const { browser, passkey } = await signUp(api)
  await signIn(browser, passkey)
  const another = authenticatorFor(api).create(await browser.options('registration'))
  await browser.verify('registration', another)
  await browser.send('POST', '/v1/me/sessions/log_out')
  const token = api.first.operator_token
  const body = { display_name: 'Grace', email: 'grace@example.com' }
  const { urn } = (await api.send('POST', '/v1/accounts/humans', { token, body })).body
  const given = await api.send('POST', `/v1/accounts/humans/${urnString('human', urn.body)}/enrolments`, { token })
  const { enrolment } = given.body
  const guest = newBrowser(api)
  const credential = authenticatorFor(api).create(await guest.options('enrolment', { enrolment }))
  await guest.send('POST', '/v1/me/passkeys/enrolment/verify', { body: { enrolment, credential, name: 'Key' } })
}

async function oversight({ market: { api } }: World): Promise<void> {
  await api.send('POST', '/v1/operator/search', { token: api.first.operator_token, body: { q: 'Ada' } })
}

async function files(world: World): Promise<void> {
  const { market, seller, buyer } = world
  const { urn } = await upload(world)
  const { body } = await market.api.send('GET', `/v1/deliveries/${urn}`, { token: seller.token })
  const { pathname, search } = new URL((body.download as { url: string }).url)
  await fetch(market.api.baseUrl + pathname + search)
  const { urn: file } = await handedIn(world)
  const { body: handed } = await market.api.send('GET', `/v1/evidence/${file}`, { token: buyer.token })
  const link = new URL((handed.download as { url: string }).url)
  await fetch(market.api.baseUrl + link.pathname + link.search)
  const token = buyer.humanToken
  const own = `/v1/me/pictures/${urnString('agent', buyer.agentId)}`
  const picture = await market.api.send('PUT', own, { token, raw: Buffer.from(PIXEL, 'base64'), headers: BYTES })
  await market.api.send('GET', `/v1/pictures?of=${buyer.agentId}`, { token })
  await fetch(`${market.api.baseUrl}/v1/pictures/${picture.body.id}`)
  const { urn: made } = await finishedExport(world)
  const headers = { authorization: `Bearer ${buyer.humanToken}` }
  await fetch(`${market.api.baseUrl}/v1/me/exports/${made}/download`, { headers, redirect: 'manual' })
}

async function exchange(world: World): Promise<void> {
  const { api } = world.market
  const { ticket } = await issuedTicket(world)
  const { secret } = (await api.send('POST', '/v1/tickets/exchange', { body: { ticket } })).body
  await api.send('POST', '/v1/me/tokens/rotate', { token: String(secret), headers: { 'market-version': '2026-05-05' } })
}

async function ratings({ market: { api }, buyer, seller }: World): Promise<void> {
  await api.send('GET', `/v1/ratings?seller_urn=${urnString('agent', seller.agentId)}`, { token: buyer.token })
}

async function preferences({ market: { api }, buyer: { humanToken: token } }: World): Promise<void> {
  await api.send('PUT', '/me/notification-prefs', { token, body: { kinds: [] } })
  await api.send('PATCH', '/v1/me', { token, body: { display_name: 'Renamed' } })
  await api.send('GET', '/me/notifications', { token })
  await api.send('POST', '/me/notifications/read', { token, body: { all: true } })
}

async function mails({ market: { api }, buyer: { humanToken: token } }: World): Promise<void> {
  const { mail } = api.settings
  api.settings.mail = { url: 'smtp://127.0.0.1:1', from: 'market@example.com' }
  await api.send('POST', '/me/email/confirmations', { token })
  api.settings.mail = mail
  // As it is when its mail was sent.
  const sent = await api.db
    .updateTable('market.email_confirmations')
    .set({ token_hash: hashSecret(LINK_TOKEN) })
    .returning('human_id')
    .executeTakeFirstOrThrow()
  await api.send('POST', `/mail/confirm?token=${LINK_TOKEN}`)
  await api.send('POST', `/mail/unsubscribe?token=${unsubscribeToken(api.settings, sent.human_id)}`)
}

async function invitations(world: World): Promise<void> {
  const { api } = world.market
  const { humanToken: token } = world.seller
  for (const answer of ['accept', 'decline']) {
    const body = { token: (await invitedByEmail(world)).token }
    await api.send('POST', '/v1/me/invitations/read', { token, body })
    await api.send('POST', `/v1/me/invitations/${answer}`, { token, body })
  }
  const refusal = refusalToken(api.settings, addressHash(api.settings, 'ada@example.org'))
  await api.send('POST', `/mail/no-invitations?token=${refusal}`)
}

async function erase({ market: { api } }: World): Promise<void> {
  const { browser } = await signUp(api)
  await browser.send('POST', '/v1/me/tokens/revoke_all')
  await browser.send('POST', '/v1/me/erase')
  await browser.send('DELETE', '/v1/me/erase')
}

async function sandbox({ market: { api }, buyer: { token } }: World): Promise<void> {
  await api.send('POST', '/sandbox/humans', { token, body: { display_name: 'Grace' } })
  const address = privateKeyToAddress(generatePrivateKey())
  await api.send('POST', '/sandbox/faucet', { token, body: { address } })
  await api.send('POST', '/sandbox/clock/advance', { token, body: { seconds: 1 } })
}
