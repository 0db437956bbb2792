import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, padHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { requireForOffer } from '../../../../api/trading/orders/payment/paymentChecks.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { encoded, signedAsReceive, tampered } from '../../../kit/api/trading/orders/forgery.ts'
import {
  everything,
  heartbeat,
  type Mode,
  newTrader,
  type PlacedOrder,
  placed,
  randomHash,
  signed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'
import { uncheckedAuthorization } from '../../../kit/chain/unchecked.ts'

/** What a refusal is made from. */
interface World {
  market: TestMarket
  order: PlacedOrder
  stranger: Trader
}

interface Refusal {
  name: string
  authorization: (world: World) => Promise<string> | string
  /** The mode in which it is refused; both unless said otherwise. */
  mode?: Mode
  /** Who presents it; the buyer unless said otherwise. */
  by?: (world: World) => string
  status: number
  type: string
  field?: string
}

const MALFORMED = { status: 400, type: 'authorization/malformed' }
const MISMATCH = { status: 422, type: 'authorization/mismatch' }
const EXPIRED = { status: 422, type: 'authorization/expired' }
const UNSIGNED = { status: 422, type: 'authorization/signature-invalid', field: 'signed_authorization.signature' }

const fair = ({ market, order }: World) => signed(market, order)
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const changed = (changes: Record<string, unknown>) => async (world: World) => tampered(await fair(world), changes)
const signedWith = (changes: Record<string, string>) => (world: World) => signed(world.market, world.order, changes)

const refusals: Refusal[] = [
  {
    name: 'another signer than `from`',
    authorization: async ({ market, order }) => {
      const other = privateKeyToAccount(generatePrivateKey())
      const theirs = await uncheckedAuthorization(order.offer, other, market.chain.tokenNames)
      return tampered(theirs, { from: order.buyer.wallet.address })
    },
    ...UNSIGNED,
  },
  {
    name: 'a member changed after it was signed',
    authorization: async ({ market, order }) =>
      tampered(await signed(market, order, { amount: '1.000000' }), { value: '20000000' }),
    ...UNSIGNED,
  },
  { name: 'signed for another chain', authorization: signedWith({ network: 'eip155:1' }), ...UNSIGNED },
  {
    name: 'signed for another token',
    authorization: signedWith({ token: '0x5555555555555555555555555555555555555555' }),
    ...UNSIGNED,
  },
  {
    name: 'signed as ReceiveWithAuthorization [risk other-type]',
    mode: 'custodied',
    authorization: ({ market, order }) => signedAsReceive(market, order),
    ...UNSIGNED,
  },
  { name: 'a signature of 64 bytes', authorization: changed({ signature: `0x${'11'.repeat(64)}` }), ...UNSIGNED },
  {
    name: 'a signature that is no curve point',
    authorization: changed({ signature: `0x${'00'.repeat(64)}1b` }),
    ...UNSIGNED,
  },
  {
    name: 'a micro-unit too much',
    authorization: signedWith({ amount: '20.000001' }),
    ...MISMATCH,
    field: 'signed_authorization.value',
  },
  {
    name: 'a micro-unit too little',
    authorization: signedWith({ amount: '19.999999' }),
    ...MISMATCH,
    field: 'signed_authorization.value',
  },
  {
    name: 'another recipient',
    authorization: signedWith({ recipient: '0x5555555555555555555555555555555555555555' }),
    ...MISMATCH,
    field: 'signed_authorization.to',
  },
  {
    name: 'another nonce',
    authorization: (world) => signed(world.market, world.order, { nonce: randomHash() }),
    ...MISMATCH,
    field: 'signed_authorization.nonce',
  },
  {
    name: "validity past the offer's",
    authorization: ({ market, order }) =>
      signed(market, order, { valid_before: new Date(Date.parse(order.offer.valid_before) + 1000).toISOString() }),
    ...MISMATCH,
    field: 'signed_authorization.validBefore',
  },
  {
    name: 'validity of 2^256 - 1 seconds [risk endless-validity]',
    authorization: changed({ validBefore: (2n ** 256n - 1n).toString() }),
    ...MISMATCH,
    field: 'signed_authorization.validBefore',
  },
  {
    name: 'expired validity',
    authorization: (world) => signed(world.market, world.order, { valid_before: soon(-1) }),
    ...EXPIRED,
    field: 'signed_authorization.validBefore',
  },
  {
    name: 'validity that ends before a block could take it [risk valid-before]',
    authorization: (world) => signed(world.market, world.order, { valid_before: soon(5) }),
    ...EXPIRED,
    field: 'signed_authorization.validBefore',
  },
  {
    name: 'validity that has not begun [risk valid-after]',
    authorization: (world) => signed(world.market, world.order, { valid_after: soon(600) }),
    ...EXPIRED,
    field: 'signed_authorization.validAfter',
  },
  { name: 'nothing', authorization: () => '', ...MALFORMED, field: 'signed_authorization' },
  {
    name: 'truncated base64',
    authorization: async (world) => (await fair(world)).slice(0, -3),
    ...MALFORMED,
    field: 'signed_authorization',
  },
  {
    name: 'base64 cut at a whole group',
    authorization: async (world) => (await fair(world)).slice(0, -8),
    ...MALFORMED,
    field: 'signed_authorization',
  },
  { name: 'the JSON itself', authorization: () => '{"from":"0x"}', ...MALFORMED, field: 'signed_authorization' },
  { name: 'base64 of no JSON', authorization: () => btoa('from=0x'), ...MALFORMED, field: 'signed_authorization' },
  { name: 'base64 of a list', authorization: () => encoded([]), ...MALFORMED, field: 'signed_authorization' },
  { name: 'base64 of null', authorization: () => encoded(null), ...MALFORMED, field: 'signed_authorization' },
  {
    name: 'base64 of JSON nested 4,000 deep [risk nested-json]',
    authorization: () => btoa(`${'['.repeat(4000)}${']'.repeat(4000)}`),
    ...MALFORMED,
    field: 'signed_authorization',
  },
  {
    name: 'a member named twice, whichever of the two was signed [risk duplicate-member]',
    authorization: async (world) => {
      const text = Buffer.from(await fair(world), 'base64').toString()
      return btoa(text.replace('"value":', '"value":"1","value":'))
    },
    ...MALFORMED,
    field: 'signed_authorization',
  },
  {
    name: 'base64 for URLs [risk base64-variants]',
    authorization: async (world) => (await fair(world)).replace(/=*$/, '').replace(/.$/, '_'),
    ...MALFORMED,
    field: 'signed_authorization',
  },
  {
    name: 'base64 with a line break [risk base64-variants]',
    authorization: async (world) => `${await fair(world)}\n`,
    ...MALFORMED,
    field: 'signed_authorization',
  },
  {
    name: 'a missing member',
    authorization: changed({ nonce: undefined }),
    ...MALFORMED,
    field: 'signed_authorization.nonce',
  },
  { name: 'a member too many', authorization: changed({ v: 27 }), ...MALFORMED, field: 'signed_authorization' },
  {
    name: 'a value of 1e3 [risk number-forms]',
    authorization: changed({ value: '1e3' }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'a negative value',
    authorization: changed({ value: -1 }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'a value beyond 256 bits',
    authorization: changed({ value: (2n ** 256n).toString() }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'a value with a leading zero [risk number-forms]',
    authorization: changed({ value: '020000000' }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'a value with a sign',
    authorization: changed({ value: '+20000000' }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'a value of 2^63 [risk other-amount]',
    authorization: changed({ value: (2n ** 63n).toString() }),
    ...MISMATCH,
    field: 'signed_authorization.value',
  },
  {
    name: 'a value of 0',
    authorization: changed({ value: '0' }),
    ...MISMATCH,
    field: 'signed_authorization.value',
  },
  {
    name: 'the service itself for its payer [risk service-pays]',
    authorization: async (world) => tampered(await fair(world), { from: world.order.offer.recipient }),
    ...{ status: 422, type: 'orders/payer-wallet-required' },
    field: 'signed_authorization.from',
  },
  {
    name: 'a signature of 10 kB [risk signature-10-kB]',
    authorization: changed({ signature: `0x${'11'.repeat(10_000)}` }),
    ...{ status: 400, type: 'request/invalid' },
    field: 'signed_authorization',
  },
  {
    name: 'a value in hex',
    authorization: changed({ value: '0x1312d00' }),
    ...MALFORMED,
    field: 'signed_authorization.value',
  },
  {
    name: 'an address with a wrong checksum [risk address-checksum]',
    authorization: changed({ from: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9b' }),
    ...MALFORMED,
    field: 'signed_authorization.from',
  },
  {
    name: 'a short nonce',
    authorization: changed({ nonce: '0x00' }),
    ...MALFORMED,
    field: 'signed_authorization.nonce',
  },
  {
    name: 'half a byte of signature',
    authorization: changed({ signature: '0x123' }),
    ...MALFORMED,
    field: 'signed_authorization.signature',
  },
  {
    name: "another account's wallet",
    authorization: ({ market, order, stranger }) =>
      uncheckedAuthorization(order.offer, stranger.wallet, market.chain.tokenNames),
    status: 409,
    type: 'orders/payer-conflict',
    field: 'signed_authorization.from',
  },
  {
    name: 'a wallet nobody has verified, of a buyer who has one',
    authorization: ({ market, order }) =>
      uncheckedAuthorization(order.offer, privateKeyToAccount(generatePrivateKey()), market.chain.tokenNames),
    status: 422,
    type: 'orders/payer-wallet-required',
    field: 'signed_authorization.from',
  },
  {
    name: "another's order",
    by: ({ stranger }) => stranger.token,
    authorization: ({ market, order, stranger }) =>
      uncheckedAuthorization(order.offer, stranger.wallet, market.chain.tokenNames),
    status: 404,
    type: 'resource/not-found',
  },
  {
    name: 'the order one sells',
    by: ({ order }) => order.seller.token,
    authorization: fair,
    status: 403,
    type: 'auth/forbidden',
  },
]

describe('refused payments', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
  })
  after(() => market.stop())

  for (const mode of ['contract', 'custodied'] as const) describeRefusals(mode)

  it('are those of a wallet that gets a part of the payment: the seller’s, the one of the fee, the one that holds it', () => {
    const [payee, fee_recipient, recipient, payer] = [1, 2, 3, 4].map((digit) => padHex(`0x${digit}`, { size: 20 }))
    if (!payee || !fee_recipient || !recipient || !payer) throw new Error('there are four')
    const terms = { price_micros: 1n, nonce: randomHash(), escrow_mode: 'contract' as const, valid_before: new Date() }
    const offer = { ...terms, payee, fee_recipient, recipient }
    const pay = (from: Address) => {
      const times = { validAfter: 0n, validBefore: 1n, signature: '0x' as const }
      const authorization = { from, to: recipient, value: 1n, nonce: offer.nonce as Hex, ...times }
      const payment = { lane: 'native' as const, orderId: '', authorization, isSigned: true }
      requireForOffer(market.api.settings.rules, offer, payment)
    }
    for (const from of [payee, fee_recipient, recipient])
      expect(() => pay(from), from).to.throw('The payer cannot be an account that is paid by it.')
    pay(payer)
  })

  function describeRefusals(mode: Mode): void {
    describe(`funding an order in ${mode} mode is refused, and nothing changes: [spec 4:20 4.1:3 4.1:4 7:12]`, () => {
      let world: World
      before(async () => {
        const [buyer, seller, stranger] = [await newTrader(market), await newTrader(market), await newTrader(market)]
        world = { market, stranger, order: await placed(buyer, seller, mode) }
      })

      const present = async (token: string, authorization: string, headers: Record<string, string | undefined> = {}) =>
        world.market.api.send('POST', `/v1/orders/${world.order.urn}/fund`, {
          token,
          headers,
          body: { signed_authorization: authorization },
        })

      const ofMode = refusals.filter((refusal) => refusal.mode === undefined || refusal.mode === mode)
      for (const { name, authorization, by, status, type, field } of ofMode) {
        it(`${status} ${type}: ${name}`, async () => {
          const given = await authorization(world)
          const before = await everything(world.market)
          expectProblem(await present(by?.(world) ?? world.order.buyer.token, given), status, type, field)
          expect(await everything(world.market)).to.deep.equal(before)
        })
      }

      it('a call without an authorization: 400 [spec 4:20]', async () => {
        const path = `/v1/orders/${world.order.urn}/fund`
        const reply = await world.market.api.send('POST', path, { token: world.order.buyer.token, body: {} })
        expectProblem(reply, 400, 'request/invalid', 'signed_authorization')
      })

      it('no version: 400, an unknown one: 400 [spec 7:5 9:3]', async () => {
        const before = await everything(world.market)
        const given = await fair(world)
        const token = world.order.buyer.token
        const without = await present(token, given, { 'market-version': undefined })
        expectProblem(without, 400, 'version/required', 'Market-Version')
        expectProblem(
          await present(token, given, { 'market-version': '2026-05-06' }),
          400,
          'version/unknown',
          'Market-Version',
        )
        expect(await everything(world.market)).to.deep.equal(before)
      })

      it('a token without the scope: 403 [spec 7:8]', async () => {
        const reader = await newTrader(world.market, { owner: world.order.buyer, scopes: ['read'], wallet: 'unbound' })
        expectProblem(await present(reader.token, await fair(world)), 403, 'auth/scope-insufficient')
      })

      it('no facilitator: 503 [spec 4.1:7 7:17]', async () => {
        await heartbeat(world.market.api, 11)
        const before = await everything(world.market)
        expectProblem(await present(world.order.buyer.token, await fair(world)), 503, 'facilitator/unavailable')
        expect(await everything(world.market)).to.deep.equal(before)
        await heartbeat(world.market.api)
      })

      it('and what fits is taken, once [spec 1:5 3.1:3 4:20 4.1:6]', async () => {
        const given = await fair(world)
        const params = { urn: world.order.urn }
        const taken = await world.order.buyer.client.call('fundOrder', {
          params,
          body: { signed_authorization: given },
        })
        expect(taken.status).to.equal(202)
        const before = await everything(world.market)
        expectProblem(await present(world.order.buyer.token, given), 409, 'orders/already-funded')
        expect(await everything(world.market)).to.deep.equal(before)
      })
    })
  }
})
