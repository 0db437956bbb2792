import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { holdId, termsHash } from '../../protocol/payments/terms.ts'
import { balanceOf, bindWallet, depositFrom } from '../kit/chain/custody.ts'
import { freeAccount, mintUsdc, newTerms, saleOf, signForCustody, signForHold } from '../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  currentOutcome,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
} from '../kit/facilitator/facilitator.ts'

const PRICE = 20_000_000n
const HELD = 1
const RELEASED = 2

describe('what the facilitator does', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const stateOf = (id: `0x${string}`) =>
    bench.chain.client.readContract({
      address: bench.chain.escrow,
      abi: escrowAbi,
      functionName: 'stateOf',
      args: [id],
    })

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 1_000_000_000n)
    facilitator = await actHere(bench)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  // The first of all: what a call is first measured to need is what later ones are tried with.
  test('a release that takes more gas than the first one is sent as well', async () => {
    const ended = async (intent: Parameters<typeof request>[1]) => outcomeOf(bench, await request(bench, intent))
    const release = async (payee: Address, split: { recipients: Address[]; amounts: bigint[] }) => {
      const terms = { ...(await newTerms(bench.chain, payee, PRICE)), feeRecipient: freeAccount(6).address }
      const authorization = await signForHold(bench.chain, buyer, terms)
      expect((await ended({ kind: 'fund', terms, authorization })).status).to.equal('confirmed')
      return ended({ kind: 'release', terms, payer: buyer.address, ...split })
    }
    const refund = { recipients: [buyer.address], amounts: [PRICE] }
    expect((await release(seller.address, refund)).status).to.equal('confirmed')
    const payee = freeAccount(5).address
    const split = { recipients: [payee, freeAccount(6).address], amounts: [19_000_000n, 1_000_000n] }
    expect((await release(payee, split)).status).to.equal('confirmed')
  })

  test('fund, then release: the payment is held and split', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, seller.address, PRICE)
    const authorization = await signForHold(chain, buyer, terms)
    const funded = await outcomeOf(bench, await request(bench, { kind: 'fund', terms, authorization }))
    const id = holdId(termsHash(chain, terms), buyer.address)
    expect(funded.status).to.equal('confirmed')
    expect(funded.tx_hash).to.match(/^0x[0-9a-f]{64}$/)
    expect(await stateOf(id)).to.equal(HELD)
    const recipients = [seller.address, terms.feeRecipient]
    const amounts = [19_000_000n, 1_000_000n]
    const release = await request(bench, { kind: 'release', terms, payer: buyer.address, recipients, amounts })
    expect((await outcomeOf(bench, release)).status).to.equal('confirmed')
    expect(await stateOf(id)).to.equal(RELEASED)
  })

  test('release waits while what the contract is asked for is stopped, and a stop of payouts does not stop it', async () => {
    const { chain, client } = bench
    const stop = `insert into market.payout_stops (id, place, reason, raised_by) values ($1, $2, 'a test', 'market:human:1')`
    const ids = { hot_wallet: randomUUID(), escrow: randomUUID() }
    for (const [place, id] of Object.entries(ids)) await client.query(stop, [id, place])
    const terms = await newTerms(chain, seller.address, PRICE)
    const authorization = await signForHold(chain, buyer, terms)
    expect((await outcomeOf(bench, await request(bench, { kind: 'fund', terms, authorization }))).status).to.equal(
      'confirmed',
    )
    const split = { recipients: [seller.address], amounts: [PRICE] }
    const release = await request(bench, { kind: 'release', terms, payer: buyer.address, ...split })
    await blocksLater(bench, 5)
    expect(await currentOutcome(bench, release)).to.equal(undefined)
    await client.query(`update market.payout_stops set lifted_at = now(), lifted_by = 'x' where id = $1`, [ids.escrow])
    expect((await outcomeOf(bench, release)).status).to.equal('confirmed')
    await client.query(`update market.payout_stops set lifted_at = now(), lifted_by = 'x' where id = $1`, [
      ids.hot_wallet,
    ])
  })

  test('deposit, then both payouts: the hot wallet keeps what is left', async () => {
    const { chain } = bench
    const hotWallet = chain.accounts.hotWallet.address
    const before = { hotWallet: await balanceOf(chain, hotWallet), seller: await balanceOf(chain, seller.address) }
    const authorization = await signForCustody(chain, buyer, PRICE)
    const paidIn = await outcomeOf(bench, await request(bench, { kind: 'deposit', authorization }))
    expect(paidIn.status).to.equal('confirmed')
    const deposit = depositFrom(authorization, paidIn.tx_hash)
    const binding = await bindWallet(chain, seller)
    const toSeller = await request(bench, {
      ...{
        kind: 'payout',
        deposit,
        leg: 'payee',
        to: seller.address,
        amount: 9_500_000n,
        binding,
        sale: saleOf(deposit),
      },
    })
    const toBuyer = await request(bench, {
      ...{ kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: 10_000_000n },
    })
    expect((await outcomeOf(bench, toSeller)).status).to.equal('confirmed')
    expect((await outcomeOf(bench, toBuyer)).status).to.equal('confirmed')
    expect(await balanceOf(chain, seller.address)).to.equal(before.seller + 9_500_000n)
    expect(await balanceOf(chain, hotWallet)).to.equal(before.hotWallet + 500_000n)
  })

  test('many at once: forty holds are all funded, each once', async () => {
    const { chain } = bench
    const intents = []
    for (let order = 0; order < 40; order++) {
      const terms = await newTerms(chain, seller.address, 100_000n)
      intents.push(await request(bench, { kind: 'fund', terms, authorization: await signForHold(chain, buyer, terms) }))
    }
    const outcomes = await Promise.all(intents.map((intent) => outcomeOf(bench, intent)))
    expect(outcomes.map(({ status }) => status)).to.deep.equal(Array(40).fill('confirmed'))
    expect(new Set(outcomes.map(({ tx_hash }) => tx_hash)).size).to.equal(40)
    const sent = await Promise.all(intents.map((intent) => transactionsOf(bench, intent)))
    expect(new Set(sent.flat().map(({ nonce }) => nonce)).size).to.equal(40)
    expect(sent.flat()).to.have.length(40)
  })
})
