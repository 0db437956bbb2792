import { after, before, describe, it } from 'node:test'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { expect } from 'chai'
import type { Address } from 'viem'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { newAsk, newTrader, startMarket, type TestMarket, type Trader } from '../../../kit/api/trading.ts'
import { deployWalletFactory, type FutureWallet, futureWallet } from '../../../kit/chain/futureWallet.ts'

describe('a wallet that is still to be deployed (ERC-6492)', () => {
  let market: TestMarket
  let factory: Address
  let buyer: Trader
  let seller: Trader
  let wallet: FutureWallet

  const allow = (...factories: Address[]) => {
    market.api.settings.chain.walletFactories = factories
  }
  const bind = async () => {
    const { token } = buyer
    const { body } = await market.api.send('POST', '/v1/me/wallets', { token, body: { address: wallet.address } })
    const signature = await wallet.signMessage(body.challenge)
    return market.api.send('POST', '/v1/me/wallets/verify', { token, body: { address: wallet.address, signature } })
  }
  /** Has a stock x402 client place an order and pay it from the wallet. */
  const payByX402 = async () => {
    const signer = { address: wallet.address, signTypedData: wallet.signTypedData }
    const schemes = [{ network: 'eip155:31337' as const, client: new ExactEvmScheme(signer) }]
    const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes, spendControls: false })
    const response = await pay(`${market.api.baseUrl}/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${buyer.token}`,
        'market-version': '2026-05-17',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ask_urn: await newAsk(seller), escrow_mode: 'custodied' }),
    })
    return { status: response.status, body: (await response.json()) as { order_urn: { body: string }; type?: string } }
  }

  before(async () => {
    market = await startMarket()
    factory = await deployWalletFactory(market.chain)
    seller = await newTrader(market)
    buyer = await newTrader(market, { wallet: 'unbound' })
    wallet = await futureWallet(market.chain, factory, buyer.wallet)
  })

  after(() => market.stop())

  it('is not bound where no factory, or another, is listed', async () => {
    expectProblem(await bind(), 422, 'wallets/signature-invalid', 'signature')
    allow('0x5555555555555555555555555555555555555555')
    expectProblem(await bind(), 422, 'wallets/signature-invalid', 'signature')
  })

  it('is bound by what it would sign, without being deployed', async () => {
    allow(factory)
    expect((await bind()).status).to.equal(200)
    expect(await market.chain.client.getCode({ address: wallet.address })).to.equal(undefined)
  })

  it('pays by a stock x402 client, and the facilitator is handed what deploys it', async () => {
    allow(factory)
    const { status, body } = await payByX402()
    expect(status).to.equal(202)
    const intent = await market.api.db
      .selectFrom('market.intents')
      .select('payload')
      .where('order_id', '=', body.order_urn.body)
      .executeTakeFirstOrThrow()
    const { authorization } = intent.payload as { authorization: { from: string; signature: string } }
    expect(authorization.from.toLowerCase()).to.equal(wallet.address.toLowerCase())
    expect(authorization.signature.endsWith('6492'.repeat(16))).to.equal(true)
  })

  it('does not pay once its factory is not listed any more', async () => {
    allow()
    const { status, body } = await payByX402()
    expect([status, body.type]).to.deep.equal([422, 'market:error:authorization/signature-invalid'])
  })
})
