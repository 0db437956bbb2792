import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { audit } from '../../audit/audit.ts'
import type { AuditTarget } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import { publicKeyJwk, signDocument } from '../../protocol/keys/signing.ts'
import type { FeeSchedule } from '../../protocol/payments/fees.ts'
import type { ReceiptDocument } from '../../protocol/records/receipt.ts'
import { depositAndPay, SIGNING_KEY, signed } from '../kit/audit/records.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc } from '../kit/chain/payments.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const PRICE = 20_000_000n
const [OLD, NEW] = [500, 300]

describe('an audit of a service that changed its fee', () => {
  let chain: TestChain
  let target: AuditTarget
  let keys: Published['keys']
  let changedAt: number
  /** Trades long before the change, just after it with either fee, and long after it. */
  const trades: Record<'before' | 'placed before' | 'placed after' | 'after', ReceiptDocument> = {} as never

  before(async () => {
    chain = await startChain()
    keys = [await publicKeyJwk(SIGNING_KEY)]
    const [buyer, seller] = [freeAccount(0), freeAccount(1)]
    await mintUsdc(chain, buyer.address, 1_000_000_000n)
    const trade = async (feeBps: number) => (await depositAndPay(chain, buyer, seller, PRICE, 0n, feeBps)).receipt
    trades.before = await trade(OLD)
    await mineBlocks(chain, 1, DAY)
    changedAt = Number((await chain.client.getBlock()).timestamp)
    await mineBlocks(chain, 1, HOUR / 2)
    trades['placed before'] = await trade(OLD)
    trades['placed after'] = await trade(NEW)
    await mineBlocks(chain, 1, DAY)
    trades.after = await trade(NEW)
    target = {
      chainId: chain.chainId,
      escrow: chain.escrow,
      hotWallet: chain.accounts.hotWallet.address,
      token: chain.token,
      fromBlock: chain.startBlock,
      toBlock: await chain.client.getBlockNumber({ cacheTime: 0 }),
    }
  })
  after(() => chain?.stop())

  const rate = (at: number, feeBps: number) => ({ from: new Date(at * 1_000).toISOString(), fee_bps: feeBps })
  const list = (rates: FeeSchedule['rates']): FeeSchedule => ({
    type: 'market:fees',
    network: `eip155:${chain.chainId}`,
    hot_wallet: chain.accounts.hotWallet.address,
    payment_window_seconds: HOUR,
    rates,
  })
  const published = () => list([rate(0, OLD), rate(changedAt, NEW)])
  const nameOf = ({ payer, deposit_nonce: nonce }: ReceiptDocument) => `${payer}:${nonce}`
  const findings = async (fees: Published['fees'], receipts: readonly ReceiptDocument[] = []) => {
    const report = await audit(chain.client, target, { fees, keys, receipts: await Promise.all(receipts.map(signed)) })
    return report.findings.map(({ code, subject }) => [code, subject])
  }
  const withList = async (document: FeeSchedule, receipts?: readonly ReceiptDocument[]) =>
    findings({ signed: await signed(document) }, receipts)

  it('finds nothing where each order has the fee of when it was placed', async () => {
    const receipts = Object.values(trades)
    expect(await withList(published(), receipts)).to.deep.equal([])
    // Receipts of earlier versions do not say their fee.
    const older = receipts.map(({ fee_bps: _fee, ...document }) => document)
    expect(await withList(published(), older)).to.deep.equal([])
  })

  it('names each payout by a fee that was not in force', async () => {
    const wrong = (...named: ReceiptDocument[]) => named.map((trade) => ['custody/wrong-payout', nameOf(trade)])
    expect(await withList(list([rate(0, OLD)]))).to.deep.equal(wrong(trades['placed after'], trades.after))
    expect(await findings({ feeBps: NEW })).to.deep.equal(wrong(trades.before, trades['placed before']))
    const later = list([rate(0, OLD), rate(changedAt + 2 * DAY, NEW)])
    expect(await withList(later)).to.deep.equal(wrong(trades['placed after'], trades.after))
    const earlier = list([rate(0, OLD), rate(changedAt - DAY / 2, NEW)])
    expect(await withList(earlier)).to.deep.equal(wrong(trades['placed before']))
  })

  it('names a receipt whose fee was not in force, or that is not what it was paid by', async () => {
    const early = { ...trades.before, fee_bps: NEW, seller_net: '19.400000', market_fee: '0.600000' }
    expect(await withList(published(), [early])).to.deep.equal([['receipt/unpublished-fee', early.receipt_urn]])
    // Both were in force for a payment then: it has to be the one that the seller was paid by.
    const other = { ...trades['placed after'], fee_bps: OLD }
    expect(await withList(published(), [other])).to.deep.equal([['receipt/differs', other.receipt_urn]])
    const whole = { ...other, seller_net: '19.000000', market_fee: '1.000000' }
    expect(await withList(published(), [whole])).to.deep.equal([['receipt/differs', whole.receipt_urn]])
  })

  it('names a list that nobody published, or of another place', async () => {
    const document = published()
    const { keyId, signature } = await signDocument(document, 'd4'.repeat(32))
    const foreign = { signed: { document, key_id: keyId, signature } }
    expect(await findings(foreign)).to.deep.equal([['fees/bad-signature', 'the list of fees']])
    const changed = { ...(await signed(document)), document: { ...document, payment_window_seconds: DAY } }
    expect(await findings({ signed: changed })).to.deep.equal([['fees/bad-signature', 'the list of fees']])
    const elsewhere = { ...document, hot_wallet: chain.escrow }
    expect(await withList(elsewhere)).to.deep.equal([['fees/wrong-place', 'the list of fees']])
  })
})
