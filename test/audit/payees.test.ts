import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { toHex } from 'viem'
import { auditPayees } from '../../audit/payees.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { WalletLocation } from '../../protocol/payments/nonces.ts'
import type { PayoutReceipt } from '../../protocol/payments/payoutReceipt.ts'
import { DOMAIN, depositAndPay, sellerEvidence } from '../kit/audit/records.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { freeAccount, mintUsdc, newSale } from '../kit/chain/payments.ts'

const PRICE = 20_000_000n

describe('an audit of whom a seller’s net went to', () => {
  let chain: TestChain
  let at: WalletLocation
  let paid: PayoutReceipt
  const [buyer, seller, thief] = [freeAccount(0), freeAccount(1), freeAccount(2)]
  before(async () => {
    chain = await startChain()
    at = { ...chain, hotWallet: chain.accounts.hotWallet.address }
    await mintUsdc(chain, buyer.address, 100_000_000n)
    const [payout] = (await depositAndPay(chain, buyer, seller, PRICE, 0n)).payouts
    if (!payout) throw new Error('nothing was paid')
    paid = payout
  })
  after(() => chain.stop())

  const faultOf = async (
    changes: Partial<PayoutReceipt>,
    rules: Parameters<typeof auditPayees>[3] = { domain: DOMAIN },
  ) => {
    const [finding, ...others] = await auditPayees(chain.client, at, [{ ...paid, ...changes }], rules)
    expect(others).to.deep.equal([])
    if (finding) expect(finding.code).to.equal('payout/not-to-seller')
    return finding?.detail
  }
  const evidence = (changes: Parameters<typeof sellerEvidence>[3] = {}, by = seller) =>
    sellerEvidence(chain, by, saleOf(paid), changes)

  it('is clean where the wallet bound itself to the seller whom the payer signed for', async () => {
    expect(await faultOf({})).to.equal(undefined)
    expect(await faultOf(await evidence({ resources: [paid.sale?.owner_urn ?? ''] }))).to.equal(undefined)
  })

  it('names a wallet that was never bound to the seller, whoever bound it', async () => {
    const stranger = urnString('agent', randomUUID())
    expect(await faultOf({ to: thief.address })).to.match(/not bound to the seller: wallet/)
    const bound = await evidence({ resources: [stranger] }, thief)
    expect(await faultOf({ to: thief.address, ...bound })).to.match(/: account/)
    expect(await faultOf({ binding: undefined })).to.match(/by what the wallet was bound/)
  })

  it('names a binding for another site or chain, or that is over', async () => {
    expect(await faultOf(await evidence({ domain: 'evil.example' }))).to.match(/: domain/)
    expect(await faultOf(await evidence({ domain: 'evil.example' }), {})).to.equal(undefined)
    expect(await faultOf(await evidence({ chainId: 1 }))).to.match(/: chain/)
    expect(await faultOf(await evidence({ expirationTime: new Date(1_000) }))).to.match(/: validity/)
  })

  it('names a binding that somebody else signed', async () => {
    const { binding } = await evidence()
    const signature = await thief.signMessage({ message: binding.message })
    expect(await faultOf({ binding: { ...binding, signature } })).to.match(/did not sign/)
  })

  it('names a sale that the payer did not sign for, whatever the amount', async () => {
    const theirs = newSale()
    const other = await sellerEvidence(chain, thief, { ...theirs, agentId: randomUUID() })
    const stolen = { to: thief.address, ...other }
    expect(await faultOf(stolen)).to.match(/signed for another sale/)
    expect(await faultOf(stolen, { domain: DOMAIN, x402MaxMicros: 100n * PRICE })).to.match(/signed for another sale/)
    expect(await faultOf({ sale: undefined })).to.match(/whose sale/)
  })

  it('takes a deposit that names no seller up to what stock x402 clients may pay', async () => {
    const deposit = { ...paid.deposit, nonce: toHex(randomBytes(32)) }
    expect(await faultOf({ deposit }, { domain: DOMAIN, x402MaxMicros: PRICE })).to.equal(undefined)
    expect(await faultOf({ deposit }, { domain: DOMAIN, x402MaxMicros: PRICE - 1n })).to.match(/names no seller/)
  })
})

function saleOf({ sale }: PayoutReceipt) {
  const idOf = (text = '') => text.split(':')[2] ?? ''
  return { orderId: idOf(sale?.order_urn), agentId: idOf(sale?.seller_urn), ownerId: idOf(sale?.owner_urn) }
}
