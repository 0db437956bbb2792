import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'chai'
import fc from 'fast-check'
import { getAddress, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ROOT, STATE_DIR } from '../../cli/machine/paths.ts'
import { openPurse } from '../../mcp/purse.ts'
import { openSpending, SpendLimit } from '../../mcp/spending.ts'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { sha256Hex } from '../../protocol/encoding/canonical.ts'
import { type UrnObject, urn, urnString } from '../../protocol/encoding/urn.ts'
import { createKeystore } from '../../protocol/keys/keystore.ts'
import { appealFeeNonce, appealKey } from '../../protocol/payments/nonces.ts'
import { bindWallet } from '../../sdk/wallet.ts'
import { decideDispute } from '../kit/api/trading/disputes/arbitration.ts'
import { delivered, newAsk, newTrader, placed, startMarket, type TestMarket, type Trader } from '../kit/api/trading.ts'
import { holdAndRelease } from '../kit/audit/records.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import { freeAccount, mintUsdc } from '../kit/chain/payments.ts'
import { connect, type ToolUser } from '../kit/mcp/agent.ts'

const CHEAP = { n: 2, r: 8, p: 1 }
const DAY = 86_400

describe('a wallet that an agent pays from', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const folder = join(tmpdir(), `market-mcp-${randomUUID()}-`)
  const [config, keystore, password] = ['config.json', 'key.json', 'password'].map((name) => `${folder}${name}`)
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market, { wallet: 'unbound' })
    seller = await newTrader(market)
    await bindWallet(buyer.client, privateKeyToAccount(key))
    const published = await fetch(`${market.api.baseUrl}/v1/config/public`)
    await writeFile(config ?? '', await published.text())
    await writeFile(keystore ?? '', await createKeystore(key, 'secret', CHEAP))
    await writeFile(password ?? '', 'secret\n', { mode: 0o600 })
  })
  after(async () => {
    await market.stop()
    const left = [config, keystore, password, `${STATE_DIR}spending-${address.toLowerCase()}.sqlite`]
    left.push(`${STATE_DIR}payees-${address.toLowerCase()}.json`)
    await Promise.all(left.map((path) => rm(path ?? '', { force: true })))
  })

  const start = (
    limits = ['--per-order', '25.000000', '--per-day', '50.000000'],
    node: string[] = [],
  ): Promise<ToolUser> => {
    const files = ['--config', config ?? '', '--keystore', keystore ?? '', '--password-file', password ?? '']
    return connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(ROOT, 'cli/main.ts'), 'mcp', '--output-schemas', ...files, ...limits, ...node],
        env: { MARKET_URL: market.api.baseUrl, MARKET_TOKEN: buyer.token, PATH: process.env.PATH ?? '' },
      }),
    )
  }
  const spent = async (agent: ToolUser) =>
    ((await agent.use('get_spending')).wallet as { left: string; per_24_hours: string }).left
  const buy = async (agent: ToolUser, price: string) => {
    const { body: id } = await newAsk(seller, { price })
    return agent.use('buy', { ask_urn: urnString('ask', id), ask_version: 1, max_price: price })
  }
  const limit = async (body: { per_order: string | null; per_day: string | null }) => {
    const me = await market.api.send('GET', '/v1/me', { token: buyer.token })
    const path = `/v1/me/tokens/${urnString('token', (me.body.token_urn as UrnObject).body)}/spend_limit`
    expect((await market.api.send('PUT', path, { token: buyer.humanToken, body })).status).to.equal(200)
  }
  const authorizations = () =>
    market.api.db.selectFrom('market.authorizations').select('payer').where('spending_id', 'is not', null).execute()

  it('takes what the escrow owes it out, once, or says what to send', async () => {
    const { chain } = market
    await mintUsdc(chain, freeAccount(0).address, 20_000_000n)
    await holdAndRelease(chain, freeAccount(0), privateKeyToAccount(key), 20_000_000n, 0n)
    await chain.client.setBalance({ address, value: parseEther('1') })
    await chain.client.setAutomine(true)
    const blind = await start()
    const { to_send: call, withdrawn } = await blind.use('withdraw')
    expect([withdrawn, (call as { to: string }).to.toLowerCase()]).to.deep.equal([null, chain.escrow.toLowerCase()])
    await blind.close()
    const before = await balanceOf(chain, address)
    const agent = await start(undefined, ['--rpc-url', chain.rpcUrl])
    const done = await agent.use('withdraw')
    expect(done).to.deep.include({ withdrawn: '19.000000', to_send: null })
    expect(done.tx_hash).to.match(/^0x[0-9a-f]{64}$/)
    expect((await balanceOf(chain, address)) - before).to.equal(19_000_000n)
    expect(await agent.use('withdraw')).to.deep.include({ withdrawn: '0.000000', tx_hash: null })
    await agent.close()
    await chain.client.setAutomine(false)
  })

  it('signs within its limits, also after a restart, and for nothing above them', async () => {
    const agent = await start()
    expect((await buy(agent, '20.000000')).state).to.equal('placed')
    expect((await buy(agent, '25.000001')).refusal).to.match(/at most 25.000000 for one order/)
    expect((await buy(agent, '20.000000')).state).to.equal('placed')
    await agent.close()
    const again = await start()
    expect((await buy(again, '20.000000')).refusal).to.match(/10.000000 left/)
    const { spend_limit, spent_today, wallet } = await again.use('get_spending')
    expect({ spend_limit, spent_today }).to.deep.equal({ spend_limit: null, spent_today: '40.000000' })
    const limits = { per_order: '25.000000', per_24_hours: '50.000000' }
    expect(wallet).to.deep.equal({ address, ...limits, left: '10.000000' })
    await limit({ per_order: '9.999999', per_day: null })
    expect((await buy(again, '10.000000')).refusal).to.match(/pays at most 9.999999 at once. Nothing was signed/)
    await limit({ per_order: null, per_day: '49.999999' })
    expect((await buy(again, '10.000000')).refusal).to.match(/9.999999 is left .* Nothing was signed/)
    await limit({ per_order: '10.000000', per_day: '50.000000' })
    expect((await buy(again, '10.000000')).state).to.equal('placed')
    await again.close()
    expect((await authorizations()).map(({ payer }) => payer)).to.deep.equal(Array(3).fill(address.toLowerCase()))
  })

  it('counts and pays an order once for one key, also beyond what is left for another', async () => {
    await limit({ per_order: null, per_day: null })
    const agent = await start(['--per-order', '25.000000', '--per-day', '1000.000000'])
    const { body: id } = await newAsk(seller, { price: '20.000000' })
    const ask = { ask_urn: urnString('ask', id), ask_version: 1, max_price: '20.000000', idempotency_key: 'once' }
    try {
      const before = await spent(agent)
      const { order_urn } = await agent.use('buy', ask)
      const left = await spent(agent)
      expect(Number(before) - Number(left)).to.equal(20)
      // What was committed by the call whose answer was lost leaves no room for another.
      await limit({ per_order: null, per_day: '75.000000' })
      expect(await agent.use('buy', ask)).to.include({ order_urn, state: 'placed' })
      expect(await spent(agent)).to.equal(left)
      expect((await agent.use('buy', { ...ask, idempotency_key: 'again' })).refusal).to.match(/Nothing was signed/)
    } finally {
      await agent.close()
    }
  })

  it('signs for the fee of an appeal within its limits, and for nothing above them', async (t) => {
    await limit({ per_order: null, per_day: null })
    const agent = await start(['--per-order', '1.000000', '--per-day', '1001.000000'])
    t.after(() => agent.close())
    const paying = { ...buyer, wallet: privateKeyToAccount(key) }
    const { urn: order_urn } = await delivered(market, await placed(paying, seller, 'custodied'))
    const { output_hash } = await agent.use('get_delivery', { order_urn })
    await agent.use('reject_delivery', { order_urn, output_hash, reason: 'Another subject.' })
    const claim = { grounds: ['changed_mind'], what_happened: 'Another subject.', requested_refund: '20.000000' }
    const { urn: dispute_urn } = await agent.use('open_dispute', { order_urn, claim })
    await decideDispute(market.api, String(dispute_urn))
    const pay = (max_fee: string) => agent.use('pay_appeal', { dispute_urn, max_fee })
    expect((await pay('0.999999')).refusal).to.match(/Nothing was signed/)
    await limit({ per_order: '0.999999', per_day: null })
    expect((await pay('1.000000')).refusal).to.match(/your token pays at most 0\.999999 at once\. Nothing was signed/)
    await limit({ per_order: null, per_day: null })
    expect((await pay('1.000000')).state).to.equal('offered')
    const { payer } = await market.api.db
      .selectFrom('market.authorizations')
      .select('payer')
      .where('appeal_fee_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(payer).to.equal(address.toLowerCase())
  })

  it('signs what the agent accepts, where it paid for it', async () => {
    const agent = await start()
    const payer = { ...buyer, wallet: privateKeyToAccount(key) }
    const order = await delivered(market, await placed(payer, seller, 'contract'))
    const output_hash = sha256Hex('the work')
    expect((await agent.use('accept_delivery', { order_urn: order.urn, output_hash })).state).to.equal('accepted')
    const approvals = market.api.db
      .selectFrom('market.settlement_approvals')
      .select(['party', 'wallet', 'refund_micros'])
    expect(await approvals.where('order_id', '=', order.id).execute()).to.deep.equal([
      { party: 'payer', wallet: address.toLowerCase(), refund_micros: 0n },
    ])
    await agent.close()
  })

  it('is refused for a seller whose wallet differs from the one that it signed for before', async () => {
    const [agent, path] = [await start(), `${STATE_DIR}payees-${address.toLowerCase()}.json`]
    const seller_urn = urnString('agent', seller.agentId)
    const payer = { ...buyer, wallet: privateKeyToAccount(key) }
    const order = await delivered(market, await placed(payer, seller, 'custodied'))
    await writeFile(path, JSON.stringify({ [seller_urn]: [freeAccount(9).address] }))
    const accept = { order_urn: order.urn, output_hash: sha256Hex('the work') }
    expect((await agent.use('accept_delivery', accept)).refusal).to.include('and you signed for')
    expect((await agent.use('get_order', { order_urn: order.urn })).state).to.equal('delivered')
    await writeFile(path, JSON.stringify({ [seller_urn]: [freeAccount(9).address, seller.wallet.address] }))
    expect((await agent.use('accept_delivery', accept)).state).to.equal('final')
    await agent.close()
  })

  it('counts the fee of an appeal before it signs it, by the same limits as an order, and once', async () => {
    const signer = privateKeyToAccount(key)
    const [token, escrow, hotWallet, feeRecipient] = [1, 2, 3, 4].map((byte) =>
      getAddress(`0x${`0${byte}`.repeat(20)}`),
    )
    if (!token || !escrow || !hotWallet || !feeRecipient) throw new Error('four addresses')
    const known = {
      chainId: 8453,
      token,
      tokenName: { name: 'USD Coin', version: '2' },
      escrow,
      hotWallet,
      feeRecipient,
    }
    const path = `${folder}appeals.sqlite`
    const spending = openSpending(path, { perOrderMicros: 2_000_000n, perDayMicros: 3_000_000n })
    const purse = openPurse(signer, { ...known, appealPaymentSeconds: DAY }, spending)
    const [nowSeconds, appellantId] = [1_800_000_000, randomUUID()]
    const pay = (disputeId: string, micros: bigint, check = async () => {}) => {
      const time = (seconds: number) => new Date((nowSeconds + seconds) * 1_000).toISOString()
      const offer = {
        ...{ token, network: 'eip155:8453', amount: formatAmount(micros), recipient: hotWallet },
        nonce: appealFeeNonce(known, appealKey({ disputeId, appellantId }), micros),
        ...{ valid_after: time(-600), valid_before: time(DAY) },
      }
      const [dispute, appellant] = [urn('dispute', disputeId), urn('agent', appellantId)]
      return purse.payAppeal(offer, { dispute, appellant, maxFee: '25.000000', nowSeconds }, check)
    }
    const refused = async (payment: Promise<string>, message: string) => {
      const outcome = await payment.catch((error: unknown) => error)
      expect(outcome).to.be.instanceOf(Error).with.property('message').that.includes(message)
    }
    const [one, other] = [randomUUID(), randomUUID()]
    await refused(pay(one, 2_000_001n), 'at most 2.000000 for one order')
    const checked = pay(one, 2_000_000n, () => Promise.reject(new Error('the market refuses')))
    await refused(checked, 'the market refuses')
    expect(spending.leftMicros()).to.equal(3_000_000n)
    for (const _ of ['once', 'and again']) await pay(one, 2_000_000n)
    await refused(pay(other, 1_000_001n), '1.000000 left of the last 24 hours')
    await pay(other, 1_000_000n)
    expect(spending.leftMicros()).to.equal(0n)
    spending.close()
    await rm(path, { force: true })
  })

  it('never counts more than a day allows, whatever is asked for by two at once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.bigInt(0n, 60n)), { maxLength: 20 }), (asked) => {
        const path = join(tmpdir(), `market-spending-${randomUUID()}.sqlite`)
        const limits = { perOrderMicros: 40n, perDayMicros: 100n }
        const both = [openSpending(path, limits), openSpending(path, limits)]
        let counted = 0n
        for (const [isFirst, micros] of asked) {
          try {
            both[isFirst ? 0 : 1]?.count(micros, randomUUID())
            counted += micros
            expect(micros <= 40n).to.equal(true)
          } catch (error) {
            expect(error).to.be.instanceOf(SpendLimit)
            expect(micros > 40n || counted + micros > 100n).to.equal(true)
          }
        }
        expect(both.map((spending) => spending.leftMicros())).to.deep.equal([100n - counted, 100n - counted])
        for (const spending of both) spending.close()
        rmSync(path)
      }),
      { numRuns: 20 },
    )
  })
})
