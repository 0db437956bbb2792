import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { type Address, type Hex, toHex } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { appealFeeNonce, appealKey, payoutNonce, sellerUrns } from '../../../protocol/payments/nonces.ts'
import { balanceOf, bindWallet, deployContractWallet, depositFrom } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newSale,
  roleAccount,
  saleOf,
  signForCustody,
  signTransfer,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  blocksLater,
  countReads,
  currentOutcome,
  letTimePass,
  type OutcomeRow,
  outcomeOf,
  request,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
  untilLogged,
} from '../../kit/facilitator/facilitator.ts'
import { startWeb3signer } from '../../kit/facilitator/web3signer.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n
const STRANGER = {
  agentId: '0198f0a0-0000-7000-8000-00000000000a',
  ownerId: '0198f0a0-0000-7000-8000-00000000000b',
}
const NET = 19_000_000n
const QUARTER_HOUR_SECONDS = 900
const DAY_SECONDS = 86_400
const SLOW_MS = 30

type Deposit = IntentOf<'payout'>['deposit']

describe('payouts', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  let hotWallet: Address
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const thief = freeAccount(2)
  const named = freeAccount(3)

  const newDeposit = async (): Promise<Deposit> => {
    const signed = await signForCustody(bench.chain, buyer, PRICE)
    return depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
  }
  /** Of a stock x402 client: its nonce names no seller. */
  const newDrawnDeposit = async (): Promise<Deposit> => {
    const nonce = toHex(randomBytes(32))
    const signed = await signTransfer(bench.chain, buyer, { to: hotWallet, value: PRICE, nonce })
    return depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
  }
  const toSeller = async (deposit: Deposit, amount = NET): Promise<IntentOf<'payout'>> => {
    const binding = await bindWallet(bench.chain, seller)
    return {
      kind: 'payout',
      deposit,
      leg: 'payee',
      to: seller.address,
      amount,
      binding,
      sale: saleOf(deposit) ?? newSale(),
    }
  }
  const toThief = async (deposit: Deposit): Promise<IntentOf<'payout'>> => {
    const sale = { orderId: randomUUID(), ...STRANGER }
    const binding = await bindWallet(bench.chain, thief, thief.address, { resources: sellerUrns(sale) })
    return { kind: 'payout', deposit, leg: 'payee', to: thief.address, amount: NET, binding, sale }
  }
  const toBuyer = (deposit: Deposit, amount: bigint): IntentOf<'payout'> => {
    return { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount }
  }
  const nonceOf = ({ deposit, leg }: IntentOf<'payout'>) => payoutNonce({ ...bench.chain, hotWallet }, deposit, leg)
  const payByHand = async (payout: IntentOf<'payout'>, message: { to: Address; value: bigint }) => {
    const signed = await signTransfer(bench.chain, roleAccount(bench.chain, 'hotWallet'), {
      ...message,
      nonce: nonceOf(payout),
    })
    await submitToToken(bench.chain, signed)
    await blocksLater(bench, 3)
  }
  const refusal = (reason: string): OutcomeRow => ({ status: 'refused', reason, tx_hash: null })

  /**
   * Asks for a payout that must not be made, and returns how it was ended, having seen that nothing was
   * signed.
   */
  const ended = async (payout: IntentOf<'payout'>): Promise<OutcomeRow> => {
    const intent = await request(bench, payout)
    const outcome = await outcomeOf(bench, intent)
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    return outcome
  }
  const signedUnder = async (nonce: Hex) => {
    const { rows } = await bench.client.query('select from facilitator.authorizations where nonce = $1', [nonce])
    return rows.length
  }

  before(async () => {
    bench = await startBench()
    hotWallet = bench.chain.accounts.hotWallet.address
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    // What a thief would be after: money of other orders.
    await mintUsdc(bench.chain, hotWallet, 1_000_000_000n)
    facilitator = await actHere(bench)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  test('wait while they are stopped, with nothing signed', async () => {
    const payout = await toSeller(await newDeposit())
    const stop = `insert into market.payout_stops (id, reason, raised_by) values ($1, 'a test', 'market:human:1')`
    const id = randomUUID()
    await bench.client.query(stop, [id])
    const intent = await request(bench, payout)
    await blocksLater(bench, 5)
    expect(await signedUnder(nonceOf(payout))).to.equal(0)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    const lift = `update market.payout_stops set lifted_at = now(), lifted_by = 'market:human:1' where id = $1`
    await bench.client.query(lift, [id])
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('wait while the node holds what a key of ours signed and is not on file, also what came while we act', async () => {
    const payout = await toSeller(await newDeposit())
    await blocksLater(bench, 3)
    await bench.chain.client.setIntervalMining({ interval: 0 })
    const submitter = roleAccount(bench.chain, 'submitter')
    await bench.chain.client.sendTransaction({ account: submitter, to: submitter.address })
    let looks = 0
    bench.proxy.intercept(({ method, params }, forward) => {
      if (method === 'eth_call' && JSON.stringify(params).includes(nonceOf(payout).slice(2))) looks++
      return forward()
    })
    const intent = await request(bench, payout)
    // The second look comes when the first has ended.
    await until('it has looked twice', () => looks >= 2)
    const signed = await signedUnder(nonceOf(payout))
    bench.proxy.intercept(undefined)
    await bench.chain.client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
    expect(signed).to.equal(0)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  describe('refused, with nothing signed', () => {
    test('more than the deposit', async () => {
      const payout = await toSeller(await newDeposit(), PRICE + 1n)
      expect(await ended(payout)).to.deep.equal(refusal('exceeds_deposit'))
      expect(await signedUnder(nonceOf(payout))).to.equal(0)
    })

    test('a deposit inflated beyond what was paid [risk market-api forged-intent]', async () => {
      const inflated = { ...(await newDrawnDeposit()), amount: 2n * PRICE }
      expect(await ended(await toSeller(inflated, 2n * NET))).to.deep.equal(refusal('evidence_mismatch'))
      const named = { ...(await newDeposit()), amount: 2n * PRICE }
      expect(await ended(await toSeller(named, 2n * NET))).to.deep.equal(refusal('seller_unsigned'))
    })

    test("a deposit under another account's name, so as to be refunded to it", async () => {
      const deposit = { ...(await newDeposit()), from: thief.address }
      const payout = { ...toBuyer(deposit, PRICE), to: thief.address }
      expect(await ended(payout)).to.deep.equal(refusal('evidence_mismatch'))
    })

    test('a payment that went elsewhere', async () => {
      const signed = await signTransfer(bench.chain, buyer, {
        to: thief.address,
        value: PRICE,
        nonce: `0x${'e1'.repeat(32)}`,
      })
      const deposit = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
      expect(await ended(await toSeller(deposit))).to.deep.equal(refusal('evidence_mismatch'))
    })

    test('a transfer that nobody signed for: its nonce is made up', async () => {
      const real = await newDeposit()
      const forged = { ...real, nonce: `0x${'e2'.repeat(32)}` } as const
      expect(await ended(await toSeller(forged))).to.deep.equal(refusal('evidence_mismatch'))
    })

    test('a real deposit in a transaction that does not exist', async () => {
      const deposit = { ...(await newDeposit()), txHash: `0x${'e3'.repeat(32)}` } as const
      await blocksLater(bench, 3)
      expect(await ended(await toSeller(deposit))).to.deep.equal(refusal('evidence_mismatch'))
    })

    test("a refund to anyone but the deposit's sender", async () => {
      const payout = { ...toBuyer(await newDeposit(), PRICE), to: thief.address }
      expect(await ended(payout)).to.deep.equal(refusal('recipient_mismatch'))
    })

    test('a seller without a signed binding', async () => {
      const { binding: _none, ...payout } = await toSeller(await newDeposit())
      expect(await ended(payout)).to.deep.equal(refusal('binding_invalid'))
    })

    test("a binding that the wallet's owner did not sign", async () => {
      const binding = await bindWallet(bench.chain, thief, seller.address)
      expect(await ended({ ...(await toSeller(await newDeposit())), binding })).to.deep.equal(
        refusal('binding_invalid'),
      )
    })

    test('a binding of another wallet than the one to be paid [risk forged-intent]', async () => {
      const payout = { ...(await toSeller(await newDeposit())), to: thief.address }
      expect(await ended(payout)).to.deep.equal(refusal('binding_invalid'))
    })

    const falsehoods: [string, Parameters<typeof bindWallet>[3]][] = [
      ['for another site', { domain: 'thief.example' }],
      ['for another chain', { chainId: 1 }],
      ['that has ended', { expirationTime: new Date(1_000) }],
      ['that has not begun', { notBefore: new Date('2199-01-01') }],
      ['to another account than the seller’s or its owner’s', { resources: sellerUrns({ ...newSale(), ...STRANGER }) }],
      ['to no account', { resources: [] }],
    ]
    for (const [what, changes] of falsehoods) {
      test(`a binding ${what}`, async () => {
        const binding = await bindWallet(bench.chain, seller, seller.address, changes)
        const payout = { ...(await toSeller(await newDeposit())), binding }
        expect(await ended(payout)).to.deep.equal(refusal('binding_invalid'))
      })
    }

    test('a seller whom the payer did not sign for, whatever the amount', async () => {
      const deposit = await newDeposit()
      const theft = await toThief(deposit)
      expect(await ended(theft)).to.deep.equal(refusal('seller_unsigned'))
      const { sale: _none, ...unnamed } = theft
      expect(await ended(unnamed)).to.deep.equal(refusal('seller_missing'))
      const fair = await toSeller(deposit)
      expect((await outcomeOf(bench, await request(bench, fair))).status).to.equal('confirmed')
    })

    test('any seller, of the fee of an appeal', async () => {
      const appeal = appealKey({ disputeId: randomUUID(), appellantId: STRANGER.agentId })
      const nonce = appealFeeNonce({ ...bench.chain, hotWallet }, appeal, PRICE)
      const signed = await signTransfer(bench.chain, buyer, { to: hotWallet, value: PRICE, nonce })
      const fee = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
      expect(await ended(await toThief(fee))).to.deep.equal(refusal('seller_unsigned'))
    })

    test('a seller whom nobody signed for, above what stock clients may pay', async () => {
      await facilitator.stop()
      facilitator = await actHere(bench, { X402_MAX_AMOUNT_MICROS: String(PRICE - 1n) })
      const payout = await toSeller(await newDrawnDeposit())
      expect(await ended(payout)).to.deep.equal(refusal('seller_unsigned'))
      await facilitator.stop()
      facilitator = await actHere(bench)
      expect((await outcomeOf(bench, await request(bench, payout))).status).to.equal('confirmed')
    })

    test('more than one payout may be', async () => {
      await facilitator.stop()
      facilitator = await actHere(bench, { MAX_PAYOUT_MICROS: '18999999' })
      expect(await ended(await toSeller(await newDeposit()))).to.deep.equal(refusal('payout_limit'))
      await facilitator.stop()
      facilitator = await actHere(bench)
    })
  })

  test('a contract wallet is paid on the binding that it accepts, and on no other', async () => {
    const wallet = await deployContractWallet(bench.chain, seller.address)
    const payout = { ...(await toSeller(await newDeposit())), to: wallet }
    const forged = { ...payout, binding: await bindWallet(bench.chain, thief, wallet) }
    expect(await ended(forged)).to.deep.equal(refusal('binding_invalid'))
    const bound = { ...payout, binding: await bindWallet(bench.chain, seller, wallet) }
    expect((await outcomeOf(bench, await request(bench, bound))).status).to.equal('confirmed')
    expect(await balanceOf(bench.chain, wallet)).to.equal(NET)
  })

  describe('two legs of one deposit', () => {
    test('the second never takes the sum beyond the deposit, asked for at the same moment', async () => {
      const deposit = await newDeposit()
      const before = await balanceOf(bench.chain, hotWallet)
      await facilitator.stop()
      const both = await Promise.all([request(bench, await toSeller(deposit)), request(bench, toBuyer(deposit, PRICE))])
      // Slow enough an answer for each to be looking while the other does.
      bench.proxy.intercept(async (_rpc, forward) => {
        await delay(SLOW_MS)
        return forward()
      })
      facilitator = await actHere(bench)
      const outcomes = await Promise.all(both.map((intent) => outcomeOf(bench, intent)))
      bench.proxy.intercept(undefined)
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['confirmed', 'refused'])
      expect(outcomes.find(({ status }) => status === 'refused')?.reason).to.equal('exceeds_deposit')
      const paidOut = before - (await balanceOf(bench.chain, hotWallet))
      expect([NET, PRICE]).to.include(paidOut)
    })

    test('a leg paid without our file is found on chain and counted', async () => {
      const deposit = await newDeposit()
      const payee = await toSeller(deposit)
      await payByHand(payee, { to: seller.address, value: NET })
      expect(await ended(toBuyer(deposit, PRICE - NET + 1n))).to.deep.equal(refusal('exceeds_deposit'))
      const rest = await outcomeOf(bench, await request(bench, toBuyer(deposit, PRICE - NET)))
      expect(rest.status).to.equal('confirmed')
    })

    test('one that would exceed the deposit waits until the other is final, and is refused then', async () => {
      const deposit = await newDeposit()
      await blocksLater(bench, 3)
      await stopMining(bench)
      const paid = { to: seller.address, value: NET, nonce: nonceOf(await toSeller(deposit)) }
      await submitToToken(bench.chain, await signTransfer(bench.chain, roleAccount(bench.chain, 'hotWallet'), paid))
      const refund = toBuyer(deposit, PRICE - NET + 1n)
      const looks = countReads(bench, nonceOf(refund))
      const intent = await request(bench, refund)
      await until('it was looked at again', () => looks() > 1)
      expect(await currentOutcome(bench, intent)).to.equal(undefined)
      bench.proxy.intercept(undefined)
      await resumeMining(bench)
      expect(await outcomeOf(bench, intent)).to.deep.equal(refusal('exceeds_deposit'))
    })

    test('a leg that was paid as asked, without our file, is confirmed; paid otherwise, it fails', async () => {
      const same = await toSeller(await newDeposit())
      await payByHand(same, { to: seller.address, value: NET })
      expect((await ended(same)).status).to.equal('confirmed')
      const other = await toSeller(await newDeposit())
      await payByHand(other, { to: buyer.address, value: NET })
      expect(await ended(other)).to.deep.equal({ status: 'failed', reason: 'leg_paid_otherwise', tx_hash: null })
    })
  })

  test('an authorization that ran out unused is signed anew under its nonce, and only then', async () => {
    const { chain } = bench
    bench.proxy.intercept(async (rpc, forward) => {
      // The chain never hears of the payout.
      if (rpc.method !== 'eth_sendRawTransaction') return forward()
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'the pool is full' } })
    })
    const payout = await toSeller(await newDeposit())
    const intent = await request(bench, payout)
    await until('its transaction is on file', async () => (await transactionsOf(bench, intent)).length === 1)
    const [lost] = await transactionsOf(bench, intent)
    // The submitter's next nonce is used by hand, so the lost transaction can never be mined.
    const submitter = roleAccount(chain, 'submitter')
    await chain.client.sendTransaction({ account: submitter, to: submitter.address, nonce: lost?.nonce ?? 0 })
    await until('a second transaction is on file', async () => (await transactionsOf(bench, intent)).length === 2)
    expect(await signedUnder(nonceOf(payout))).to.equal(1)
    const [, second] = await transactionsOf(bench, intent)
    await letTimePass(bench, QUARTER_HOUR_SECONDS + 1)
    await chain.client.sendTransaction({ account: submitter, to: submitter.address, nonce: second?.nonce ?? 0 })
    await until('it is signed again', async () => (await signedUnder(nonceOf(payout))) === 2)
    bench.proxy.intercept(undefined)
    const before = await balanceOf(chain, seller.address)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await balanceOf(chain, seller.address)).to.equal(before + NET)
  })

  describe('a refund whose payer the token refuses', () => {
    const setBlocked = (functionName: 'blacklist' | 'unBlacklist', account: Address) => {
      const call = { account: roleAccount(bench.chain, 'deployer'), address: bench.chain.token, abi: tokenAbi } as const
      return mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName, args: [account] }))
    }
    const toNamed = async (deposit: Deposit) => {
      const binding = await bindWallet(bench.chain, named)
      return { ...toBuyer(deposit, PRICE), to: named.address, binding }
    }

    test('goes to a wallet its owner has named, once what was signed for the payer can be used no more', async () => {
      const deposit = await newDeposit()
      await setBlocked('blacklist', buyer.address)
      await blocksLater(bench, 3)
      const nonce = nonceOf(toBuyer(deposit, PRICE))
      const toPayer = await request(bench, toBuyer(deposit, PRICE))
      expect(await outcomeOf(bench, toPayer)).to.include({ status: 'failed', reason: 'blacklisted' })
      const { rows } = await bench.client.query('select * from facilitator.authorizations where nonce = $1', [nonce])
      const before = await balanceOf(bench.chain, hotWallet)
      const intent = await request(bench, await toNamed(deposit))
      await blocksLater(bench, 8)
      expect(await currentOutcome(bench, intent)).to.equal(undefined)
      expect(await signedUnder(nonce)).to.equal(1)
      await letTimePass(bench, QUARTER_HOUR_SECONDS + 1)
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await balanceOf(bench.chain, named.address)).to.equal(PRICE)
      // Both authorizations are of one nonce: the payer's is worth nothing, also when the token takes the
      // payer again.
      await setBlocked('unBlacklist', buyer.address)
      const [first] = rows
      const signed = {
        from: hotWallet,
        to: buyer.address,
        value: PRICE,
        validAfter: 0n,
        nonce,
        signature: first.signature,
      }
      const late = submitToToken(bench.chain, { ...signed, validBefore: BigInt(first.valid_before) })
      expect(
        await late.then(
          (receipt) => receipt.status,
          () => 'refused',
        ),
      ).to.not.equal('success')
      expect(await balanceOf(bench.chain, hotWallet)).to.equal(before - PRICE)
    })

    test('goes nowhere else while the token takes the payer, whatever wallet an intent names', async () => {
      expect(await ended(await toNamed(await newDeposit()))).to.deep.equal(refusal('payer_can_be_paid'))
    })

    test('goes to no wallet whose owner did not sign, nor to one that the token refuses too', async () => {
      const deposit = await newDeposit()
      await setBlocked('blacklist', buyer.address)
      await setBlocked('blacklist', named.address)
      await blocksLater(bench, 3)
      const binding = await bindWallet(bench.chain, thief, named.address)
      expect(await ended({ ...(await toNamed(deposit)), binding })).to.deep.equal(refusal('binding_invalid'))
      expect(await ended(await toNamed(deposit))).to.include({ status: 'failed', reason: 'blacklisted' })
      await setBlocked('unBlacklist', named.address)
      await setBlocked('unBlacklist', buyer.address)
      await blocksLater(bench, 3)
    })
  })

  test('beyond the daily limit a payout waits and is not refused, and a refund goes out', async () => {
    await facilitator.stop()
    // What was signed before is of another day.
    await letTimePass(bench, DAY_SECONDS)
    const limited = { DAILY_PAYOUT_MICROS: String(NET + 1n), RELEASE_UNPROVED_DAILY_MICROS: '1000000000000' }
    facilitator = await actHere(bench, limited)
    const first = await request(bench, await toSeller(await newDeposit()))
    expect((await outcomeOf(bench, first)).status).to.equal('confirmed')
    const second = await request(bench, await toSeller(await newDeposit()))
    await blocksLater(bench, 10)
    expect(await currentOutcome(bench, second)).to.equal(undefined)
    expect(await transactionsOf(bench, second)).to.deep.equal([])
    const refund = await request(bench, toBuyer(await newDeposit(), PRICE))
    expect((await outcomeOf(bench, refund)).status).to.equal('confirmed')
    await letTimePass(bench, DAY_SECONDS)
    expect((await outcomeOf(bench, second)).status).to.equal('confirmed')
    await facilitator.stop()
    facilitator = await actHere(bench)
  })

  test('a hot wallet that is short keeps the payout waiting', async () => {
    const { chain } = bench
    const all = await balanceOf(chain, hotWallet)
    const payout = await toSeller(await newDeposit())
    const drain = { to: thief.address, value: all + 2_000_000n, nonce: `0x${'e4'.repeat(32)}` } as const
    await submitToToken(chain, await signTransfer(chain, roleAccount(chain, 'hotWallet'), drain))
    const intent = await request(bench, payout)
    await blocksLater(bench, 8)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    await mintUsdc(chain, hotWallet, 1_000_000_000n)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('of keys that a remote signer holds goes out once, after a time in which the signer is silent', async () => {
    const { chain } = bench
    const { hotWallet: wallet, submitter, resolver } = chain.accounts
    const signer = await startWeb3signer([wallet, submitter, resolver].map(({ privateKey }) => privateKey))
    await facilitator.stop()
    try {
      const keys = { HOT_WALLET_KEY: wallet.address, SUBMITTER_KEYS: submitter.address, RESOLVER_KEY: resolver.address }
      facilitator = await actHere(bench, { SIGNER_URL: signer.url, ...keys })
      const payout = await toSeller(await newDeposit())
      signer.twist = () => undefined
      const intent = await request(bench, payout)
      await untilLogged(facilitator.output, 'the signer answered with status 503')
      expect(await signedUnder(nonceOf(payout))).to.equal(0)
      signer.twist = (signature) => signature
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await transactionsOf(bench, intent)).to.have.length(1)
      await facilitator.stop()
    } finally {
      await signer.stop()
    }
    facilitator = await actHere(bench)
  })
})
