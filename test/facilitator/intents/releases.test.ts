import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import type { Address, Hex } from 'viem'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { canonicalJson } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { publicKeyJwk, signDocument } from '../../../protocol/keys/signing.ts'
import {
  type IntentOf,
  type IntentPayload,
  type ReleaseEvidence,
  storeIntent,
} from '../../../protocol/payments/intents.ts'
import { appealFeeNonce, appealKey, sellerUrns } from '../../../protocol/payments/nonces.ts'
import { formerSettlementTypedData, settlementTypedData } from '../../../protocol/payments/settlement.ts'
import { splitHold } from '../../../protocol/payments/split.ts'
import { holdId, orderKey, type Terms, termsHash } from '../../../protocol/payments/terms.ts'
import type { VerdictDocument } from '../../../protocol/records/verdict.ts'
import { balanceOf, bindWallet, deployContractWallet, depositFrom } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newSale,
  newTerms,
  roleAccount,
  saleOf,
  signForCustody,
  signForHold,
  signTransfer,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  currentOutcome,
  letTimePass,
  outcomeOf,
  startBench,
  tamper,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n
const NET = 19_000_000n
const FEE_BPS = 500
const APPEAL_FEE = 1_000_000n
const DAY_SECONDS = 86_400
const FORBIDDEN = '42501'
const SEED = 'a1'.repeat(32)

/** A funded hold: whose order, its terms, and what pays it. */
interface Held {
  orderId: string
  terms: Terms
  payer: Address
}

/**
 * One distribution that nobody proves is let through a day in each direction: a fifth of this for its payer
 * and its seller.
 */
const TIGHT = { RELEASE_UNPROVED_DAILY_MICROS: '100000000' }
const NONE = { RELEASE_UNPROVED_DAILY_MICROS: '0' }

describe('a distribution asked for with the login of api and worker alone', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  let login: pg.Client
  const [buyer, seller, thief] = [freeAccount(0), freeAccount(1), freeAccount(2)]

  before(async () => {
    bench = await startBench()
    login = new pg.Client(bench.database.roleUrls.api)
    await login.connect()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })
  afterEach(async () => {
    await facilitator?.stop()
    facilitator = undefined
  })
  after(async () => {
    await login.end()
    await bench.stop()
  })

  const act = async (env: Record<string, string>) => {
    await facilitator?.stop()
    facilitator = await actHere(bench, env)
  }
  const insert = async (payload: IntentPayload): Promise<string> => {
    const id = randomUUID()
    const row = `insert into market.intents (id, key, kind, payload) values ($1, $2, $3, $4)`
    await login.query(row, [id, `test:${id}`, payload.kind, JSON.stringify(storeIntent(payload))])
    return id
  }
  const newHold = async (payee: Address = seller.address, payer = buyer): Promise<Held> => {
    const orderId = randomUUID()
    const terms = { ...(await newTerms(bench.chain, payee, PRICE)), order: orderKey(orderId) }
    const { from, validAfter, validBefore, signature } = await signForHold(bench.chain, payer, terms)
    const call = { address: bench.chain.escrow, abi: escrowAbi, functionName: 'fund' } as const
    const account = roleAccount(bench.chain, 'deployer')
    const args = [terms, from, validAfter, validBefore, signature] as const
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, account, args }))
    await blocksLater(bench, 3)
    return { orderId, terms, payer: payer.address }
  }
  const splitOf = (refund: bigint) => splitHold(PRICE, refund, FEE_BPS)
  const releaseOf = ({ terms, payer }: Held, refund: bigint, evidence?: ReleaseEvidence): IntentOf<'release'> => {
    const { payerMicros, payeeMicros, feeMicros } = splitOf(refund)
    const legs = [
      [terms.payee, payeeMicros],
      [payer, payerMicros],
      [terms.feeRecipient, feeMicros],
    ] as const
    const paid = legs.filter(([, amount]) => amount > 0n)
    return {
      ...{
        kind: 'release',
        terms,
        payer,
        recipients: paid.map(([to]) => to),
        amounts: paid.map(([, amount]) => amount),
      },
      ...(evidence ? { evidence } : {}),
    }
  }
  const later = (days: number) => BigInt(Math.floor(Date.now() / 1_000) + days * DAY_SECONDS)
  const signOutcome = async (
    by: typeof buyer,
    { orderId, terms, payer }: Held,
    refund: bigint,
    changes: Partial<{ nonce: Hex; validBefore: bigint; holder: Address; payment: bigint; payee: Address }> = {},
  ) => {
    const { holder = bench.chain.escrow, validBefore = later(400), ...other } = changes
    const message = {
      ...{ order: urnString('order', orderId), payer, nonce: termsHash(bench.chain, terms), amount: PRICE },
      ...{ refund, payment: splitOf(refund).payeeMicros, payee: terms.payee, validBefore, ...other },
    }
    return by.signTypedData(settlementTypedData({ chainId: bench.chain.chainId, holder }, message))
  }
  const agreed = async (
    held: Held,
    refund: bigint,
    signers: { payer?: typeof buyer; payee?: typeof buyer },
    changes: Parameters<typeof signOutcome>[3] = {},
  ): Promise<ReleaseEvidence> => {
    const approvals: ReleaseEvidence['approvals'] = []
    for (const by of ['payer', 'payee'] as const) {
      const signer = signers[by]
      if (!signer) continue
      const signature = await signOutcome(signer, held, refund, changes)
      approvals.push({ by, validBefore: changes.validBefore ?? later(400), signature })
    }
    return { orderId: held.orderId, refund, payment: splitOf(refund).payeeMicros, approvals }
  }
  /** What has the facilitator know the key of verdicts. */
  const pinnedKey = async () => {
    const { kid, x } = await publicKeyJwk(SEED)
    const jwk = { ...{ kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig' }, kid, x, purpose: 'verdicts' }
    const pinned = { ...jwk, valid_from: '2026-01-01T00:00:00Z', valid_until: '2200-01-01T00:00:00Z' }
    return { VERDICT_KEYS: JSON.stringify([pinned]) }
  }
  const decidedOf = async ({ orderId }: Held, refund: bigint, changes: Partial<VerdictDocument> = {}, seed = SEED) => {
    const document = { ...verdictOf(orderId, refund), ...changes }
    const verdict = { document: canonicalJson(document), ...(await signDocument(document, seed)) }
    const { payerMicros, payeeMicros } = splitOf(refund)
    return { orderId, refund: payerMicros, payment: payeeMicros, approvals: [], verdict }
  }
  /** What a verdict says that can be appealed for an hour. */
  const appealable = async () => {
    const now = Number((await bench.chain.client.getBlock()).timestamp)
    return { appeal_until: new Date((now + 3_600) * 1_000).toISOString() }
  }
  /** Lets the facilitator see intents several times, and returns those with which it did something. */
  const moved = async (...intents: string[]) => {
    await blocksLater(bench, 6)
    const found = await Promise.all(
      intents.map(async (intent) => {
        const isEnded = (await currentOutcome(bench, intent)) !== undefined
        return isEnded || (await transactionsOf(bench, intent)).length > 0 ? [intents.indexOf(intent)] : []
      }),
    )
    return found.flat()
  }
  const confirmed = async (intent: string) => (await outcomeOf(bench, intent)).status === 'confirmed'

  describe('of the contract', () => {
    test('waits beyond the day’s sum, through a restart and with two at once, and goes after the delay [risk market-api]', async () => {
      await act(TIGHT)
      const [first, second, third] = [await newHold(), await newHold(), await newHold()]
      const asked = await Promise.all([second, third].map((held) => insert(releaseOf(held, 0n))))
      const done = () => Promise.all(asked.map((intent) => currentOutcome(bench, intent)))
      await until('one has ended', async () => (await done()).some((outcome) => outcome !== undefined))
      const [went = -1, ...others] = await moved(...asked)
      expect(others).to.deep.equal([])
      const late = asked[1 - went] ?? ''
      await act(TIGHT)
      const other = await insert(releaseOf(first, 0n))
      const waiting = 'select from facilitator.first_sights where due_at > seen_at'
      await until('both wait', async () => (await bench.client.query(waiting)).rowCount === 2)
      expect(await moved(late, other)).to.deep.equal([])
      // What nobody could have stopped yet: refunds have a sum of their own.
      expect(await confirmed(await insert(releaseOf(await newHold(), PRICE)))).to.equal(true)
      expect(await moved(await insert(releaseOf(await newHold(), PRICE)))).to.deep.equal([])

      const stop = randomUUID()
      await bench.client.query(
        `insert into market.payout_stops (id, place, reason, raised_by) values ($1, 'escrow', 'a theft', 'market:human:1')`,
        [stop],
      )
      await letTimePass(bench, DAY_SECONDS + 60)
      const lift = `update market.payout_stops set lifted_at = now(), lifted_by = 'x' where id = $1`
      expect(await login.query(lift, [stop]).catch(String)).to.match(/permission denied/)
      expect(await moved(late, other)).to.deep.equal([])
      await bench.client.query(lift, [stop])
      expect([await confirmed(late), await confirmed(other)]).to.deep.equal([true, true])
    })

    test('goes after the delay since it was announced, not since it was requested, and uses no sum', async () => {
      await act(NONE)
      const held = await newHold()
      const { evidence: _none, ...distribution } = releaseOf(held, 0n)
      const sight = await insert({ kind: 'sight', distribution })
      expect(await outcomeOf(bench, sight)).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: null })
      const unseen = await newHold()
      await letTimePass(bench, DAY_SECONDS + 60)
      // Before the next block the facilitator would see a request at the former time.
      await blocksLater(bench, 2)
      const late = await insert(releaseOf(unseen, 0n))
      const other = await insert(releaseOf(held, PRICE))
      expect(await moved(late, other)).to.deep.equal([])
      expect(await confirmed(await insert(releaseOf(held, 0n)))).to.equal(true)
    })

    test('is not seen before there is a payment to distribute', async () => {
      await act(NONE)
      const { evidence: _none, ...distribution } = releaseOf(await newHold(), 0n)
      const unpaid = { ...distribution, terms: { ...distribution.terms, fundBy: distribution.terms.fundBy - 1 } }
      const intent = await insert({ kind: 'sight', distribution: unpaid })
      const { rowCount } = await bench.client.query('select from facilitator.first_sights')
      expect(await moved(intent)).to.deep.equal([])
      expect((await bench.client.query('select from facilitator.first_sights')).rowCount).to.equal(rowCount)
    })

    test('goes at once to the payer of a hold that the payer may reclaim, and only the whole of it', async () => {
      await act(NONE)
      const [whole, part] = [await newHold(), await newHold()]
      const early = await insert(releaseOf(whole, PRICE))
      expect(await moved(early)).to.deep.equal([])
      const { timestamp } = await bench.chain.client.getBlock()
      await letTimePass(bench, whole.terms.expiry - Number(timestamp) + 60)
      await blocksLater(bench, 3)
      expect(await moved(await insert(releaseOf(part, PRICE - 1_000_000n)))).to.deep.equal([])
      expect(await confirmed(await insert(releaseOf(part, PRICE)))).to.equal(true)
    })

    test('goes at once with the signature of whoever gives something up, and of both in a split', async () => {
      await act(NONE)
      const [accepted, conceded, split] = [await newHold(), await newHold(), await newHold()]
      const intents = [
        releaseOf(accepted, 0n, await agreed(accepted, 0n, { payer: buyer })),
        releaseOf(conceded, PRICE, await agreed(conceded, PRICE, { payee: seller })),
        releaseOf(split, 5_000_000n, await agreed(split, 5_000_000n, { payer: buyer, payee: seller })),
      ]
      for (const intent of intents) expect(await confirmed(await insert(intent))).to.equal(true)
    })

    test('takes the signature of a contract’s wallet as the contract does', async () => {
      await act(NONE)
      const wallet = await deployContractWallet(bench.chain, seller.address)
      const held = await newHold(wallet)
      const forged = await insert(releaseOf(held, PRICE, await agreed(held, PRICE, { payee: thief })))
      expect(await moved(forged)).to.deep.equal([])
      const own = releaseOf(held, PRICE, await agreed(held, PRICE, { payee: seller }))
      expect(await confirmed(await insert(own))).to.equal(true)
    })

    test('waits with a signature that says anything else, or is of anybody else', async () => {
      await act(NONE)
      const [held, other] = [await newHold(), await newHold()]
      const nonce = termsHash(bench.chain, other.terms)
      const evidence = await agreed(held, 0n, { payer: buyer })
      const half = await agreed(held, 10_000_000n, { payer: buyer, payee: seller })
      const falsehoods: IntentOf<'release'>[] = [
        releaseOf(held, 0n),
        releaseOf(held, 0n, await agreed(held, 0n, { payer: thief })),
        releaseOf(held, 0n, await agreed(held, 0n, { payer: seller })),
        releaseOf(held, 0n, await agreed(held, 0n, { payee: seller })),
        releaseOf(held, 0n, await agreed(held, 0n, { payer: buyer }, { nonce })),
        releaseOf(
          held,
          0n,
          await agreed(held, 0n, { payer: buyer }, { holder: bench.chain.accounts.hotWallet.address }),
        ),
        releaseOf(held, 0n, await agreed(held, 0n, { payer: buyer }, { payee: thief.address })),
        releaseOf(held, 0n, await agreed(held, 0n, { payer: buyer }, { validBefore: 1n })),
        releaseOf(held, 0n, { ...(await agreed(held, 0n, { payer: buyer })), orderId: other.orderId }),
        // Of one outcome, used for another.
        releaseOf(held, 0n, half),
        releaseOf(held, 0n, { ...half, refund: 0n, payment: NET }),
        releaseOf(held, 10_000_000n, { ...evidence, refund: 10_000_000n, payment: 9_500_000n }),
        // Of one hold, used for another.
        releaseOf(other, 0n, evidence),
        releaseOf(other, 0n, { ...evidence, orderId: other.orderId }),
        // By one of two.
        releaseOf(held, 10_000_000n, await agreed(held, 10_000_000n, { payer: buyer })),
        releaseOf(held, 10_000_000n, await agreed(held, 10_000_000n, { payee: seller })),
        releaseOf(held, PRICE, await agreed(held, PRICE, { payer: buyer })),
      ]
      const intents = await Promise.all(falsehoods.map(insert))
      expect(await moved(...intents)).to.deep.equal([])
      expect(await confirmed(await insert(releaseOf(held, 0n, evidence)))).to.equal(true)
    })

    test('goes with a verdict under a pinned key, once no appeal can change it, and with no other [risk signing-key]', async () => {
      const pinned = { ...NONE, ...(await pinnedKey()) }
      await act(pinned)
      const [held, other] = [await newHold(), await newHold()]
      const refund = 5_000_000n
      const decided = (changes: Partial<VerdictDocument> = {}, seed = SEED) => decidedOf(held, refund, changes, seed)
      const evidence = await decided()
      const falsehoods = [
        releaseOf(held, refund, await decided({}, 'b2'.repeat(32))),
        releaseOf(held, refund, await decided({ decided_at: '2025-12-31T00:00:00Z' })),
        releaseOf(held, refund, await decided({ order_urn: urnString('order', other.orderId) })),
        releaseOf(held, refund, await decided({ price: formatAmount(2n * PRICE) })),
        releaseOf(held, refund, await decided({ split: verdictOf(held.orderId, 0n).split })),
        releaseOf(held, refund, {
          ...evidence,
          verdict: { ...evidence.verdict, document: evidence.verdict.document.replace('"5.000000"', '"5.000001"') },
        }),
        releaseOf(held, 0n, evidence),
        releaseOf(other, refund, { ...evidence, orderId: other.orderId }),
      ]
      const intents = await Promise.all(falsehoods.map(insert))
      const early = await insert(releaseOf(held, refund, await decided(await appealable())))
      expect(await moved(...intents, early)).to.deep.equal([])
      await letTimePass(bench, 3_700)
      await blocksLater(bench, 3)
      // It looks again within half a minute, and at its start at once.
      await act(pinned)
      expect(await confirmed(early)).to.equal(true)
    })

    /** What `market_api` can write of an appeal: that its fee was offered, and falsely that it was paid. */
    const writeAppeal = (disputeId: string, amountMicros: bigint, state = 'held') =>
      tamper(
        bench,
        `insert into market.appeal_fees (id, dispute_id, order_id, party, agent_id, state, amount_micros, recipient, nonce,
           valid_after, valid_before, payer, deposit_tx, paid_at)
         select $1::uuid, $2, $1, 'buyer', $1, $4, $3, '', $1::text, now(), now(), paid.by, paid.by,
           case when paid.by is not null then now() end
         from (select case when $4 = 'held' then '0x' end as by) paid`,
        [randomUUID(), disputeId, amountMicros, state],
      )
    /** Has a wallet use the nonce of the fee of an appeal. */
    const payFee = async (
      { disputeId, appellantId, amountMicros }: { disputeId: string; appellantId: string; amountMicros: bigint },
      changes: { by?: typeof buyer; value?: bigint; to?: Address } = {},
    ) => {
      const hotWallet = bench.chain.accounts.hotWallet.address
      const nonce = appealFeeNonce({ ...bench.chain, hotWallet }, appealKey({ disputeId, appellantId }), amountMicros)
      const { by = buyer, value = amountMicros, to = hotWallet } = changes
      await submitToToken(bench.chain, await signTransfer(bench.chain, by, { to, value, nonce }))
    }
    /** The release of a new hold by a verdict that could be appealed for an hour. */
    const decidedRelease = async () => {
      const held = await newHold()
      const [disputeId, buyerId, sellerId] = [randomUUID(), randomUUID(), randomUUID()]
      const dispute = {
        dispute_urn: urnString('dispute', disputeId),
        ...{ party_a: urnString('agent', buyerId), party_b: urnString('agent', sellerId) },
      }
      const under = async (changes: Partial<VerdictDocument>) =>
        releaseOf(held, 0n, await decidedOf(held, 0n, { ...dispute, ...changes }))
      return { disputeId, buyerId, sellerId, under, first: await under(await appealable()) }
    }

    test('goes with a verdict whose appeal nobody paid, whatever the service’s rows say [risk market-api]', async () => {
      await act({ ...NONE, ...(await pinnedKey()) })
      const [unpaid, cheap, elsewhere] = [await decidedRelease(), await decidedRelease(), await decidedRelease()]
      await mintUsdc(bench.chain, thief.address, 10_000_000n)
      await writeAppeal(unpaid.disputeId, APPEAL_FEE)
      // A fee that is no fee: below the least one.
      await writeAppeal(cheap.disputeId, 1n)
      await payFee({ disputeId: cheap.disputeId, appellantId: cheap.buyerId, amountMicros: 1n }, { by: thief })
      // The nonce of the fee, for less, to another wallet, and of an agent who is no party.
      await writeAppeal(elsewhere.disputeId, APPEAL_FEE)
      const fee = { disputeId: elsewhere.disputeId, appellantId: elsewhere.buyerId, amountMicros: APPEAL_FEE }
      await payFee(fee, { by: thief, value: 1n })
      await payFee(fee, { to: thief.address })
      await payFee({ ...fee, appellantId: randomUUID() })
      await letTimePass(bench, 3_700)
      await blocksLater(bench, 3)
      const releases = [unpaid, cheap, elsewhere].map(({ first }) => first)
      for (const release of releases) expect(await confirmed(await insert(release))).to.equal(true)
    })

    test('waits with a verdict whose appeal a party paid, and goes with the second one [risk market-api]', async () => {
      await act({ ...NONE, ...(await pinnedKey()) })
      const [byBuyer, bySeller] = [await decidedRelease(), await decidedRelease()]
      for (const { disputeId } of [byBuyer, bySeller]) await writeAppeal(disputeId, APPEAL_FEE, 'offered')
      const amountMicros = APPEAL_FEE
      await payFee({ disputeId: byBuyer.disputeId, appellantId: byBuyer.buyerId, amountMicros })
      // Somebody used the nonce before the party did, and in another block after it.
      const bySellers = { disputeId: bySeller.disputeId, appellantId: bySeller.sellerId, amountMicros }
      await mintUsdc(bench.chain, thief.address, 10_000_000n)
      await payFee(bySellers, { by: thief, value: 1n })
      await payFee(bySellers, { by: buyer })
      await payFee(bySellers, { by: seller, value: 0n })
      for (const change of [
        'delete from market.appeal_fees',
        'truncate market.appeal_fees',
        `update market.appeal_fees set dispute_id = '${randomUUID()}'`,
        'update market.appeal_fees set amount_micros = 1',
      ])
        expect(await login.query(change).catch(({ code }) => code), change).to.equal(FORBIDDEN)
      await login.query(`update market.appeal_fees set state = 'lapsed', ended_at = now() where state = 'offered'`)
      await letTimePass(bench, 3_700)
      await blocksLater(bench, 3)
      expect(await moved(await insert(byBuyer.first), await insert(bySeller.first))).to.deep.equal([])
      // The second verdict of a dispute is final.
      for (const { under } of [byBuyer, bySeller])
        expect(await confirmed(await insert(await under({ sequence: 2 })))).to.equal(true)
    })

    test('waits until a window that is said to have elapsed has, since the payment’s block', async () => {
      await act({ RELEASE_UNPROVED_DAILY_MICROS: '1000000000000' })
      const { orderId, terms, payer } = await newHold()
      const [log] = await bench.chain.client.getContractEvents({
        ...{ address: bench.chain.escrow, abi: escrowAbi, eventName: 'Funded', fromBlock: bench.chain.startBlock },
        args: { holdId: holdId(termsHash(bench.chain, terms), payer) },
      })
      if (!log) throw new Error('it is not funded')
      const elapsed = { seconds: 3_600, txHash: log.transactionHash }
      const held = { orderId, terms, payer }
      const evidence = { orderId, refund: 0n, payment: NET, approvals: [], elapsed }
      const intent = await insert(releaseOf(held, 0n, evidence))
      expect(await moved(intent)).to.deep.equal([])
      await letTimePass(bench, 3_700)
      expect(await confirmed(intent)).to.equal(true)
    })
  })

  describe('of custody', () => {
    const newDeposit = async () => {
      const signed = await signForCustody(bench.chain, buyer, PRICE)
      const { transactionHash } = await submitToToken(bench.chain, signed)
      await blocksLater(bench, 3)
      const sale = saleOf(signed)
      if (!sale) throw new Error('it names no sale')
      return { deposit: depositFrom(signed, transactionHash), sale }
    }
    type Paid = Awaited<ReturnType<typeof newDeposit>>
    const bindingOf = (wallet: typeof buyer, sale: Paid['sale']) =>
      bindWallet(bench.chain, wallet, wallet.address, { resources: sellerUrns(sale) })
    const legOf = async (
      { deposit, sale }: Paid,
      leg: 'payee' | 'payer',
      evidence?: ReleaseEvidence,
      to = seller,
    ): Promise<IntentOf<'payout'>> => {
      const paid =
        leg === 'payee'
          ? { to: to.address, amount: NET, binding: await bindingOf(to, sale) }
          : { to: buyer.address, amount: PRICE }
      return { kind: 'payout', deposit, leg, ...paid, sale, ...(evidence ? { evidence } : {}) }
    }
    const agreedIn = async (
      { deposit, sale }: Paid,
      refund: bigint,
      by: typeof buyer,
      party: 'payer' | 'payee',
      payee: Address | 'version 1' = seller.address,
    ): Promise<ReleaseEvidence> => {
      const holder = bench.chain.accounts.hotWallet.address
      const { payeeMicros: payment } = splitHold(deposit.amount, refund, FEE_BPS)
      const validBefore = later(400)
      const message = {
        ...{
          order: urnString('order', sale.orderId),
          payer: deposit.from,
          nonce: deposit.nonce,
          amount: deposit.amount,
        },
        ...{ refund, payment, validBefore },
      }
      const place = { chainId: bench.chain.chainId, holder }
      const signature =
        payee === 'version 1'
          ? await by.signTypedData(formerSettlementTypedData(place, message))
          : await by.signTypedData(settlementTypedData(place, { ...message, payee }))
      const bound = { wallet: by.address, binding: await bindingOf(by, sale) }
      const approval = { by: party, validBefore, signature, ...(party === 'payee' ? { seller: bound } : {}) }
      return { orderId: sale.orderId, refund, payment, approvals: [approval] }
    }

    test('waits in both directions, and also with a signature, to a wallet that was bound only now', async () => {
      await act(NONE)
      const [one, other, third] = [await newDeposit(), await newDeposit(), await newDeposit()]
      const before = await balanceOf(bench.chain, thief.address)
      const intents = [
        await legOf(one, 'payee'),
        await legOf(other, 'payer'),
        // Anybody can bind a wallet of their own to the account of anybody.
        await legOf(third, 'payee', await agreedIn(third, 0n, buyer, 'payer'), thief),
        await legOf(other, 'payer', await agreedIn(other, PRICE, thief, 'payee')),
        await legOf(one, 'payee', await agreedIn(one, 0n, thief, 'payer')),
      ]
      expect(await moved(...(await Promise.all(intents.map(insert))))).to.deep.equal([])
      const { rows } = await bench.client.query('select from facilitator.authorizations')
      expect([rows.length, await balanceOf(bench.chain, thief.address)]).to.deep.equal([0, before])
    })

    test('goes at once with a signature, to and by a wallet that was known for a day', async () => {
      await act(NONE)
      const [accepted, conceded] = [await newDeposit(), await newDeposit()]
      const { ownerId } = accepted.sale
      const binding = await bindingOf(seller, accepted.sale)
      expect(
        await confirmed(await insert({ kind: 'sight_wallet', ownerId, wallet: seller.address, binding })),
      ).to.equal(true)
      const early = await newDeposit()
      const signed = await legOf(early, 'payee', await agreedIn(early, 0n, buyer, 'payer'))
      expect(await moved(await insert(signed))).to.deep.equal([])
      await letTimePass(bench, DAY_SECONDS + 60)
      const release = await legOf(accepted, 'payee', await agreedIn(accepted, 0n, buyer, 'payer'))
      expect(await confirmed(await insert(release))).to.equal(true)
      const replayed = await legOf(conceded, 'payee', release.evidence)
      expect(await moved(await insert(replayed))).to.deep.equal([])
      const refund = await legOf(conceded, 'payer', await agreedIn(conceded, PRICE, seller, 'payee'))
      expect(await confirmed(await insert(refund))).to.equal(true)
    })

    test('goes after the delay since it was announced to this wallet, and to no other', async () => {
      await act(NONE)
      const paid = await newDeposit()
      const { binding: _binding, evidence: _evidence, ...distribution } = await legOf(paid, 'payee')
      const sight = await insert({ kind: 'sight', distribution })
      expect((await outcomeOf(bench, sight)).status).to.equal('confirmed')
      await letTimePass(bench, DAY_SECONDS + 60)
      // Before the next block the facilitator would see a request at the former time.
      await blocksLater(bench, 2)
      expect(await moved(await insert(await legOf(paid, 'payee', undefined, thief)))).to.deep.equal([])
      expect(await confirmed(await insert(await legOf(paid, 'payee')))).to.equal(true)
    })

    test('does not pay the wallet that a thief made known for a seller by a one-cent order of their own [risk market-api]', async () => {
      await act(NONE)
      const sale = newSale()
      const pays = async (payer: typeof buyer, price: bigint) => {
        const signed = await signForCustody(bench.chain, payer, price, sale)
        const { transactionHash } = await submitToToken(bench.chain, signed)
        return { deposit: depositFrom(signed, transactionHash), sale }
      }
      const paidTo = async (paid: Paid, by: typeof buyer, named: Address | 'version 1') => {
        const { amount } = paid.deposit
        const payment = splitHold(amount, 0n, FEE_BPS).payeeMicros
        const evidence = await agreedIn(paid, 0n, by, 'payer', named)
        return { ...(await legOf(paid, 'payee', evidence, thief)), amount: payment }
      }
      await mintUsdc(bench.chain, thief.address, 10_000n)
      const bait = await pays(thief, 10_000n)
      await blocksLater(bench, 3)
      expect(await moved(await insert(await paidTo(bait, thief, 'version 1')))).to.deep.equal([])
      await letTimePass(bench, DAY_SECONDS + 60)
      const honest = await pays(buyer, PRICE)
      await blocksLater(bench, 3)
      for (const named of ['version 1', seller.address, thief.address] as const)
        expect(await moved(await insert(await paidTo(honest, buyer, named))), named).to.deep.equal([])
    })

    test('returns what no seller could be paid from at once', async () => {
      await act({ ...NONE, X402_MAX_AMOUNT_MICROS: String(PRICE - 1n) })
      const to = bench.chain.accounts.hotWallet.address
      const signed = await signTransfer(bench.chain, buyer, { to, value: PRICE, nonce: `0x${'0d'.repeat(32)}` })
      const deposit = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
      const refund = { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: PRICE } as const
      expect(await confirmed(await insert(refund))).to.equal(true)
    })
  })

  test('does not go because a row of the file says that it was seen before [risk market-facilitator]', async () => {
    await act(NONE)
    const intent = await insert(releaseOf(await newHold(), 0n))
    expect(await moved(intent)).to.deep.equal([])
    await facilitator?.stop()
    const file = new pg.Client(bench.database.roleUrls.facilitator)
    await file.connect()
    // What the login of the facilitator may write.
    await file.query(
      `insert into facilitator.first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)
       select number + 1, subject, payer_micros, payee_micros, 1, 1, signature from facilitator.first_sights
       order by number desc limit 1`,
    )
    await file.end()
    await act(NONE)
    expect(await moved(intent)).to.deep.equal([])
  })
})

function verdictOf(orderId: string, refund: bigint): VerdictDocument {
  const split = splitHold(PRICE, refund, FEE_BPS)
  return {
    ...{ verdict_urn: urnString('verdict', randomUUID()), dispute_urn: urnString('dispute', randomUUID()) },
    ...{ order_urn: urnString('order', orderId), sequence: 1, opener: urnString('agent', randomUUID()) },
    ...{ party_a: urnString('agent', randomUUID()), party_b: urnString('agent', randomUUID()), winner: 'party_b' },
    ...{ remedy: 'partial_refund', price: formatAmount(PRICE), grounds: 'Late.', confidence: 0.9, prompt_version: 'x' },
    split: {
      ...{ buyer: formatAmount(split.payerMicros), seller: formatAmount(split.payeeMicros) },
      fee: formatAmount(split.feeMicros),
    },
    ...{ arbitrator: { kind: 'rules' }, facts: {}, evidence_sha256: 'ab'.repeat(32) },
    decided_at: '2026-06-01T00:00:00Z',
  }
}
