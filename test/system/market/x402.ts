import { before, describe, it } from 'node:test'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import {
  accept,
  createParties,
  deliver,
  type Mode,
  type Parties,
  PRICE_MICROS,
  SELLER_NET_MICROS,
  type Trader,
  untilOrder,
  untilSettled,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import type { Stack } from '../../kit/stack/stack.ts'

/** Where the facilitator serves x402 itself, and the secret it asks for. */
export interface X402Interface {
  url: string
  secret: string
}

/** What a stock x402 client can pay, and what it cannot. */
export function stockClients(stackOf: () => Stack, x402: X402Interface): void {
  describe('a stock x402 client', { concurrency: true }, () => {
    let stack: Stack

    before(async () => {
      stack = stackOf()
    })

    /** The client as its documentation has it, allowed to pay 20 of this chain's token. */
    function payingClient(account: PrivateKeyAccount): x402Client {
      const { chainId, token } = stack.chain
      return new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
        allowedAssets: [{ network: `eip155:${chainId}`, asset: token, maxAmountPerPayment: PRICE_MICROS.toString() }],
      })
    }

    /** A placement, as any HTTP client sends it. */
    async function placement({ buyer, seller }: Parties, mode: Mode): Promise<[string, RequestInit]> {
      const ask = await seller.client.call('createAsk', {
        body: { title: 'Verse', description: 'Forty-two lines of verse on any subject.', price: '20.000000' },
      })
      const body = JSON.stringify({ ask_urn: ask.body.urn, escrow_mode: mode })
      return [`${stack.baseUrl}/v1/orders`, { method: 'POST', headers: headersOf(buyer), body }]
    }

    /** Every order of an agent. */
    async function ordersOf({ client }: Trader) {
      const { body } = await client.call('listOrders', { query: {} })
      return body.orders.map(({ urn, state }) => ({ urn: urnString('order', urn.body), state }))
    }

    /** The header that pays the offer of a 402. */
    async function paymentFor(offered: Response, account: PrivateKeyAccount): Promise<Record<string, string>> {
      const http = new x402HTTPClient(payingClient(account))
      const required = http.getPaymentRequiredResponse((name) => offered.headers.get(name))
      return http.encodePaymentSignatureHeader(await http.createPaymentPayload(required))
    }

    it('pays a custodied order by repeating its placement, and there is one order', async () => {
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const fetchAndPay = wrapFetchWithPayment(fetch, payingClient(buyer.account))
      const response = await fetchAndPay(...(await placement(parties, 'custodied')))
      expect(response.status).to.equal(202)
      const { order_urn } = (await response.json()) as { order_urn: { body: string } }
      const urn = urnString('order', order_urn.body)
      await deliver(seller, await untilOrder(buyer, urn, 'funded'))
      await accept(buyer, urn)
      await untilSettled(buyer, urn)
      expect(await ordersOf(buyer)).to.deep.equal([{ urn, state: 'final' }])
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    })

    it('cannot pay twice: a second payment of the order is refused, whatever its nonce', async () => {
      const parties = await createParties(stack)
      const { buyer } = parties
      const [url, request] = await placement(parties, 'custodied')
      const offered = await fetch(url, request)
      const before = await balanceOf(stack.chain, buyer.account.address)
      const retries = await Promise.all([1, 2, 3].map(() => paymentFor(offered, buyer.account)))
      const answers = await Promise.all(
        retries.map((header) => fetch(url, { ...request, headers: { ...headersOf(buyer), ...header } })),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409])
      const [order] = await ordersOf(buyer)
      await untilOrder(buyer, order?.urn ?? '', 'funded')
      const late = await fetch(url, { ...request, headers: { ...headersOf(buyer), ...retries[0] } })
      expect(late.status).to.equal(409)
      expect(await ordersOf(buyer)).to.have.length(1)
      expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(before - PRICE_MICROS)
    })

    it('signs nothing unless it is allowed to: its own limit is 1 dollar in tokens it knows', async () => {
      const parties = await createParties(stack)
      const cautious = new x402Client().register('eip155:*', new ExactEvmScheme(parties.buyer.account))
      const refused = wrapFetchWithPayment(fetch, cautious)(...(await placement(parties, 'custodied')))
      expect(await messageOf(refused)).to.contain('spendControls')
      expect((await ordersOf(parties.buyer)).map(({ state }) => state)).to.deep.equal(['placed'])
    })

    it('is told of by the facilitator: settled for whoever asks it with the secret, and shown by its logs', async () => {
      const parties = await createParties(stack)
      const [url, request] = await placement(parties, 'custodied')
      const http = new x402HTTPClient(payingClient(parties.buyer.account))
      const offered = await fetch(url, request)
      const required = http.getPaymentRequiredResponse((name) => offered.headers.get(name))
      const payload = await http.createPaymentPayload(required)
      const headers = { authorization: `Bearer ${x402.secret}` }
      const facilitator = new HTTPFacilitatorClient({
        url: x402.url,
        createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
      })
      const early = await facilitator.settle(payload, payload.accepted)
      expect(early).to.deep.include({ success: false, errorReason: 'payment_not_on_file' })
      await fetch(url, {
        ...request,
        headers: { ...headersOf(parties.buyer), ...http.encodePaymentSignatureHeader(payload) },
      })
      const settled = await facilitator.settle(payload, payload.accepted)
      expect(settled).to.deep.include({ success: true, payer: parties.buyer.account.address })
      const [order] = await ordersOf(parties.buyer)
      await untilOrder(parties.buyer, order?.urn ?? '', 'funded')
      const { from, nonce } = payload.payload.authorization as { from: string; nonce: string }
      const status = await fetch(`${x402.url}/payments/${from}/${nonce}`, { headers })
      expect(await status.json()).to.deep.include({ state: 'paid', transaction: settled.transaction, on_file: true })
      expect((await fetch(`${x402.url}/payments/${from}/${nonce}`)).status).to.equal(401)
    })

    function headersOf({ token }: Trader): Record<string, string> {
      return { authorization: `Bearer ${token}`, 'market-version': '2026-05-17', 'content-type': 'application/json' }
    }
  })
}

/** What a call failed with. */
async function messageOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  )
}
