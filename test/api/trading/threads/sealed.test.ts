import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as ed25519 from '@noble/ed25519'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type UrnObject, urnString } from '../../../../protocol/encoding/urn.ts'
import { agentKeysMessage } from '../../../../protocol/keys/agentKeys.ts'
import {
  commitmentOf,
  encryptWords,
  SealBroken,
  type SealedContent,
  sealStatement,
} from '../../../../protocol/records/sealed.ts'
import { acceptProposal } from '../../../../sdk/proposals.ts'
import {
  type AgentSecrets,
  areKeysOf,
  checkDisclosure,
  createAgentKeys,
  discloseMessage,
  openMessage,
  publishAgentKeys,
  type SealedMessage,
  sealWords,
  type Thread,
} from '../../../../sdk/sealed.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  deliver,
  everything,
  funded,
  newAsk,
  newTrader,
  type PlacedOrder,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

const SECRET = 'The rhyme is “silver”.'
const words = { payload: null, body: SECRET }

describe('a sealed thread', () => {
  let market: TestMarket
  let network: string
  let buyer: Trader
  let seller: Trader
  const secrets = new Map<Trader, AgentSecrets>()
  let order: PlacedOrder
  let thread: Thread
  before(async () => {
    market = await startMarket()
    network = `eip155:${market.api.settings.chain.chainId}`
    ;[buyer, seller] = [await newTrader(market), await newTrader(market)]
    for (const one of [buyer, seller]) await publish(one)
    order = await sealedOrder()
    thread = await threadFor(order)
  })
  after(() => market.stop())

  const publish = async (one: Trader) => {
    const drawn = await createAgentKeys(urnString('agent', one.agentId))
    secrets.set(one, drawn)
    return publishAgentKeys(one.client, drawn, one.wallet, network)
  }
  const secretsOf = (one: Trader) => secrets.get(one) as AgentSecrets
  const partyOf = ({ wallet }: Trader) => ({ wallet: wallet.address, network })
  const place = (as: Trader, ask_urn: UrnObject) =>
    market.api.send('POST', '/v1/orders', {
      token: as.token,
      body: { ask_urn, escrow_mode: 'custodied', sealed: true },
    })
  const sealedOrder = async () => {
    const ask_urn = await newAsk(seller)
    const answer = await buyer.client.call('placeOrder', { body: { ask_urn, escrow_mode: 'custodied', sealed: true } })
    if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}, not 402`)
    const { body: id } = answer.body.order_urn
    return funded(market, { id, urn: urnString('order', id), buyer, seller, offer: answer.body })
  }
  const threadFor = async (of: PlacedOrder) =>
    (await buyer.client.call('getThread', { params: { urn: await threadOf(of) } })).body
  const urnOf = ({ thread_urn }: Thread) => urnString('thread', thread_urn.body)
  const post = (as: Trader, body: object, to = thread) =>
    market.api.send('POST', '/v1/messages', { token: as.token, body: { thread_urn: urnOf(to), ...body } })
  const messagesOf = async (as: Trader, of = thread) =>
    (await as.client.call('listMessages', { params: { urn: urnOf(of) }, query: {} })).body.messages
  const say = async (as: Trader, message: { kind: string; payload?: Record<string, unknown> }, what = words) => {
    const { sealed, key } = await sealWords(
      thread,
      secretsOf(as),
      message,
      what,
      partyOf(as === buyer ? seller : buyer),
    )
    const { status, body } = await post(as, { ...message, sealed })
    expect(status).to.equal(201)
    const found = (await messagesOf(as)).find(({ urn }) => urnString('message', urn.body) === String(body.urn))
    return { message: found as SealedMessage, key, urn: String(body.urn) }
  }
  const broken = async (opening: () => unknown) => {
    const error = await Promise.resolve()
      .then(opening)
      .catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(SealBroken)
  }
  const refused = async (ask: () => ReturnType<typeof post>, status: number, type: string, field?: string) => {
    const before = await everything(market)
    expectProblem(await ask(), status, type, field)
    expect(await everything(market)).to.deep.equal(before)
  }
  /** The sender signs again what was changed of a sealed message: it is the sender who cheats. */
  const signAgain = async (as: Trader, changed: SealedContent): Promise<SealedContent> => {
    const { signature: _, ...rest } = changed
    const { agentUrn: senderUrn, signingSecretKey } = secretsOf(as)
    const at = { threadUrn: urnOf(thread), senderUrn, kind: 'text', payload: null, id: rest.id }
    const signature = await ed25519.signAsync(sealStatement(at, rest), Buffer.from(signingSecretKey, 'base64url'))
    return { ...rest, signature: Buffer.from(signature).toString('base64url') }
  }

  /** A message in the seller's name that a stranger's keys signed, and the key that opens it. */
  const confess = async (drawn: AgentSecrets, { grants, id }: SealedContent) => {
    const place = { threadUrn: urnOf(thread), senderUrn: drawn.agentUrn, kind: 'text', payload: null, id }
    const key = randomBytes(32)
    const ciphertext = await encryptWords(place, key, { payload: null, body: 'I never did the work.' })
    const rest = { id, ciphertext, commitment: commitmentOf(place, key, ciphertext), grants }
    const signature = await ed25519.signAsync(
      sealStatement(place, rest),
      Buffer.from(drawn.signingSecretKey, 'base64url'),
    )
    const sealed = { ...rest, signature: Buffer.from(signature).toString('base64url') }
    return { sealed, key: key.toString('base64url') }
  }

  it('is read by its two parties, and the service keeps nothing it could read [spec 2.9:2]', async () => {
    const { message } = await say(seller, { kind: 'text' })
    for (const one of [buyer, seller]) {
      const [found] = (await messagesOf(one)).slice(-1)
      expect(await openMessage(thread, secretsOf(one), found as SealedMessage, partyOf(seller))).to.deep.include(words)
    }
    expect(message).to.not.have.any.keys('payload', 'body')
    expect(JSON.stringify(await everything(market))).not.to.include('silver')
  })

  it('is one from placement on, and needs the keys of both [spec 2.9:3]', async () => {
    expect((await read(order)).sealed).to.equal(true)
    const keyless = await newTrader(market)
    const [ask, keylessAsk] = [await newAsk(seller), await newAsk(keyless)]
    await refused(() => place(keyless, ask), 422, 'keys/missing', 'sealed')
    await refused(() => place(buyer, keylessAsk), 422, 'keys/missing', 'sealed')
    const other = await funded(market, await placed(buyer, seller, 'custodied'))
    expect(await threadFor(other)).to.deep.include({ sealed: false, keys: [] })
  })

  it('stays pinned to its keys when an agent publishes others', async () => {
    const { message } = await say(seller, { kind: 'text' })
    const former = secretsOf(buyer)
    await publish(buyer)
    expect((await threadFor(order)).keys).to.deep.equal(thread.keys)
    const { body } = await seller.client.call('getAgentKeys', { params: { urn: urnString('agent', buyer.agentId) } })
    expect(body.hpke_public_key).to.equal(secretsOf(buyer).hpkePublicKey)
    await broken(() => openMessage(thread, secretsOf(buyer), message, partyOf(seller)))
    secrets.set(buyer, former)
    expect(await openMessage(thread, former, message, partyOf(seller))).to.deep.include(words)
  })

  it('shows a key that was swapped on its way: no wallet of the party signed it', async () => {
    const [pinned] = thread.keys
    if (!pinned) throw new Error('the thread has no keys')
    expect(await areKeysOf(pinned, partyOf(buyer))).to.equal(true)
    const other = await createAgentKeys(urnString('agent', buyer.agentId))
    for (const swapped of [
      { ...pinned, hpke_public_key: other.hpkePublicKey },
      { ...pinned, signing_public_key: other.signingPublicKey },
      { ...pinned, agent_urn: { prefix: 'agent' as const, body: seller.agentId } },
      { ...pinned, network: 'eip155:1' },
    ]) {
      expect(await areKeysOf(swapped, partyOf(buyer))).to.equal(false)
    }
    const mallory = privateKeyToAccount(generatePrivateKey())
    expect(await areKeysOf(pinned, { wallet: mallory.address, network })).to.equal(false)
  })

  it('is sealed to no key that the service swapped, neither the counterparty’s nor one’s own', async () => {
    const [ofBuyer, ofSeller] = thread.keys
    if (!ofBuyer || !ofSeller) throw new Error('the thread has no keys')
    const service = privateKeyToAccount(generatePrivateKey())
    const drawn = await createAgentKeys(urnString('agent', buyer.agentId))
    const swapped = { ...ofBuyer, hpke_public_key: drawn.hpkePublicKey, signing_public_key: drawn.signingPublicKey }
    const { agentUrn, hpkePublicKey, signingPublicKey } = drawn
    const statement = { agentUrn, network, hpkePublicKey, signingPublicKey, issuedAt: swapped.issued_at }
    const signature = await service.signMessage({ message: agentKeysMessage(statement) })
    const seal = (keys: Thread['keys']) =>
      sealWords({ ...thread, keys }, secretsOf(seller), { kind: 'text' }, words, partyOf(buyer))
    for (const keys of [
      [swapped, ofSeller],
      [{ ...swapped, wallet: service.address, signature }, ofSeller],
      [{ ...swapped, signature }, ofSeller],
      [ofBuyer, { ...ofSeller, hpke_public_key: drawn.hpkePublicKey }],
      [ofBuyer, ofSeller, { ...swapped, wallet: service.address, signature }],
      [ofSeller],
    ]) {
      await broken(() => seal(keys))
    }
    expect((await seal([ofSeller, ofBuyer])).sealed.grants).to.have.length(2)
  })

  it('shows no confession that the service made up, though it commits to its key', async () => {
    const { message } = await say(seller, { kind: 'text' })
    const [ofBuyer, ofSeller] = thread.keys
    if (!message.sealed || !ofBuyer || !ofSeller) throw new Error('the thread has no keys')
    const drawn = await createAgentKeys(urnString('agent', seller.agentId))
    const { sealed, key } = await confess(drawn, message.sealed)
    const madeUp = { ...message, sealed }
    await broken(() => checkDisclosure(thread, madeUp, key, partyOf(seller)))
    const swapped = { ...ofSeller, signing_public_key: drawn.signingPublicKey }
    await broken(() => checkDisclosure({ ...thread, keys: [ofBuyer, swapped] }, madeUp, key, partyOf(seller)))
    await broken(() => openMessage({ ...thread, keys: [ofBuyer, swapped] }, secretsOf(buyer), madeUp, partyOf(seller)))
  })

  it('is disclosed to the service only as its sender signed it, whatever its row says since', async () => {
    const { message, urn } = await say(seller, { kind: 'text' })
    if (!message.sealed) throw new Error('the message is not sealed')
    const { sealed, key } = await confess(await createAgentKeys(urnString('agent', seller.agentId)), message.sealed)
    await market.api.db
      .updateTable('market.messages')
      .set({ sealed: JSON.stringify(sealed) })
      .where('id', '=', urn.replace('market:message:', ''))
      .execute()
    const ask = () => market.api.send('POST', `/v1/messages/${urn}/disclose`, { token: buyer.token, body: { key } })
    await refused(ask, 422, 'messages/disclosure-refused', 'key')
  })

  it('takes keys that a wallet of the owner signed just now, and no others', async () => {
    const agent = await newTrader(market)
    const drawn = await createAgentKeys(urnString('agent', agent.agentId))
    const send = async (changes: Record<string, unknown> = {}, wallet = agent.wallet) => {
      const statement = {
        hpke_public_key: drawn.hpkePublicKey,
        signing_public_key: drawn.signingPublicKey,
        issued_at: new Date().toISOString(),
        ...changes,
      }
      const message = agentKeysMessage({
        agentUrn: drawn.agentUrn,
        network,
        hpkePublicKey: statement.hpke_public_key,
        signingPublicKey: statement.signing_public_key,
        issuedAt: statement.issued_at,
      })
      const body = { ...statement, wallet: wallet.address, signature: await wallet.signMessage({ message }) }
      return {
        body,
        send: (more = {}) => market.api.send('POST', '/v1/me/keys', { token: agent.token, body: { ...body, ...more } }),
      }
    }
    const good = await send()
    const other = (await createAgentKeys(drawn.agentUrn)).hpkePublicKey
    await refused(() => good.send({ hpke_public_key: other }), 422, 'wallets/signature-invalid', 'signature')
    await refused(() => good.send({ wallet: buyer.wallet.address }), 422, 'wallets/signature-invalid', 'signature')
    const mallory = await send({}, privateKeyToAccount(generatePrivateKey()))
    await refused(() => mallory.send(), 422, 'keys/wallet-required', 'wallet')
    const hourAgo = await send({ issued_at: new Date(Date.now() - 3_600_000).toISOString() })
    await refused(() => hourAgo.send(), 422, 'keys/stale', 'issued_at')
    // The neutral point: under it a signature of anybody's fits anything.
    const weak = await send({ signing_public_key: Buffer.from([1, ...Array(31).fill(0)]).toString('base64url') })
    await refused(() => weak.send(), 422, 'keys/weak', 'signing_public_key')
    expect((await good.send()).status).to.equal(201)
    await refused(() => good.send(), 422, 'keys/stale', 'issued_at')
  })

  it('takes no word that is not sealed, and another thread none that is', async () => {
    await refused(() => post(seller, { kind: 'text', body: SECRET }), 422, 'messages/seal-required', 'sealed')
    await refused(() => post(seller, { kind: 'work_started', body: SECRET }), 422, 'messages/seal-required', 'sealed')
    const { sealed } = await sealWords(thread, secretsOf(seller), { kind: 'text' }, words, partyOf(buyer))
    await refused(() => post(seller, { kind: 'text', sealed, body: 'x' }), 422, 'messages/seal-required', 'sealed')
    const open = await threadFor(await funded(market, await placed(buyer, seller, 'custodied')))
    await refused(() => post(seller, { kind: 'text', sealed }, open), 422, 'messages/seal-required', 'sealed')
  })

  it('takes a message once, from its sender, for this thread, as what it was sealed as', async () => {
    const { message } = await say(seller, { kind: 'text' })
    const { sealed } = message
    if (!sealed) throw new Error('the message is not sealed')
    const other = await threadFor(await sealedOrder())
    const signature = 'sealed.signature'
    await refused(() => post(seller, { kind: 'text', sealed }), 409, 'messages/seal-reused')
    await refused(() => post(seller, { kind: 'text', sealed }, other), 422, 'messages/seal-invalid', signature)
    await refused(() => post(buyer, { kind: 'text', sealed }), 422, 'messages/seal-invalid', signature)
    const proposal = { kind: 'scope_change_proposal', sealed }
    await refused(() => post(seller, proposal), 422, 'messages/seal-invalid', signature)
    await broken(() => openMessage(other, secretsOf(buyer), message, partyOf(seller)))
    await broken(() => openMessage(thread, secretsOf(buyer), { ...message, kind: 'revision_request' }, partyOf(seller)))
    const buyerUrn = urnString('agent', buyer.agentId)
    await broken(() => openMessage(thread, secretsOf(buyer), { ...message, sender_urn: buyerUrn }, partyOf(seller)))
  })

  it('is sealed to both, by whoever writes', async () => {
    const { sealed } = await sealWords(thread, secretsOf(seller), { kind: 'text' }, words, partyOf(buyer))
    const [grant] = sealed.grants
    const toOne = await signAgain(seller, { ...sealed, grants: [grant, grant] as SealedContent['grants'] })
    await refused(() => post(seller, { kind: 'text', sealed: toOne }), 422, 'messages/seal-invalid', 'sealed.grants')
  })

  it('shows its readers a message whose key is not the one that was committed to', async () => {
    const { sealed, key } = await sealWords(thread, secretsOf(seller), { kind: 'text' }, words, partyOf(buyer))
    const at = {
      threadUrn: urnOf(thread),
      senderUrn: secretsOf(seller).agentUrn,
      kind: 'text',
      payload: null,
      id: sealed.id,
    }
    const otherKey = randomBytes(32)
    const two = await signAgain(seller, { ...sealed, commitment: commitmentOf(at, otherKey, sealed.ciphertext) })
    const { status, body } = await post(seller, { kind: 'text', sealed: two })
    expect(status).to.equal(201)
    const [found] = (await messagesOf(buyer)).slice(-1)
    await broken(() => openMessage(thread, secretsOf(buyer), found as SealedMessage, partyOf(seller)))
    await broken(() => checkDisclosure(thread, found as SealedMessage, key, partyOf(seller)))
    for (const told of [key, otherKey.toString('base64url')]) {
      const path = `/v1/messages/${String(body.urn)}/disclose`
      const ask = () => market.api.send('POST', path, { token: seller.token, body: { key: told } })
      await refused(ask, 422, 'messages/disclosure-refused', 'key')
    }
  })

  it('is disclosed message by message, by either party, with the key that was committed to', async () => {
    const { message, urn, key } = await say(seller, { kind: 'text' })
    const opened = await openMessage(thread, secretsOf(buyer), message, partyOf(seller))
    expect(opened.key).to.equal(key)
    const stranger = await newTrader(market)
    const ask = (as: Trader, told: string, of = urn) =>
      market.api.send('POST', `/v1/messages/${of}/disclose`, { token: as.token, body: { key: told } })
    await refused(() => ask(stranger, key), 404, 'resource/not-found')
    await refused(() => ask(buyer, randomBytes(32).toString('base64url')), 422, 'messages/disclosure-refused', 'key')
    await refused(() => ask(buyer, 'short'), 400, 'request/invalid', 'key')
    const other = await say(seller, { kind: 'text' })
    await refused(() => ask(buyer, key, other.urn), 422, 'messages/disclosure-refused', 'key')
    expect(await discloseMessage(buyer.client, urn, opened.key))
      .to.include({ body: SECRET })
      .and.not.have.property('payload')
    expect(await discloseMessage(seller.client, urn, key))
      .to.include({ body: SECRET })
      .and.not.have.property('payload')
    expect(await checkDisclosure(thread, message, key, partyOf(seller))).to.deep.equal(words)
    const events = await market.api.db
      .selectFrom('market.events')
      .selectAll()
      .where('event_type', '=', 'message.disclosed')
      .execute()
    expect(events.map(({ payload }) => payload.message_urn)).to.deep.equal([urn])
  })

  it('carries the work: a proposal is accepted as it was sealed, and a delivery says its hash', async () => {
    const { message } = await say(buyer, { kind: 'scope_change_proposal' })
    const { body } = await openMessage(thread, secretsOf(seller), message, partyOf(buyer))
    expect(body).to.equal(SECRET)
    const [proposal] = (await messagesOf(seller)).slice(-1)
    if (!proposal) throw new Error('the proposal is not in the thread')
    expect((await acceptProposal(seller.client, proposal)).amendments).to.have.length(1)
    await seller.client.call('postMessage', { body: { thread_urn: urnOf(thread), kind: 'work_started' } })
    await deliver(order)
    expect((await read(order)).state).to.equal('delivered')
  })
})
