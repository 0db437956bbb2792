import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, encodeFunctionData, type Hex, pad, padHex, TransactionReceiptNotFoundError } from 'viem'
import type { Pass } from '../../facilitator/evidence/pass.ts'
import { checkPayment } from '../../facilitator/evidence/payments.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { IntentOf, IntentPayload } from '../../protocol/payments/intents.ts'
import { payoutNonce } from '../../protocol/payments/nonces.ts'
import type { Terms } from '../../protocol/payments/terms.ts'
import { AUTHORIZATION_USED } from '../../protocol/rpc/topics.ts'
import type { RpcCall } from '../e2e/rpcProxy.ts'
import { depositFrom } from '../kit/chain/custody.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForCustody,
  signForHold,
  signTransfer,
  submitToToken,
} from '../kit/chain/payments.ts'
import {
  deploySequence,
  inOneTransaction,
  pretence,
  submission,
  transfer,
  transferFrom,
} from '../kit/chain/sequence.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  outcomeOf,
  passStrayDelay,
  request,
  startBench,
  transactionsOf,
} from '../kit/facilitator/facilitator.ts'

const PRICE = 20_000_000n
const NOT_EVIDENCE = { status: 'refused', reason: 'evidence_mismatch', tx_hash: null }

describe("evidence of a payment, checked at the facilitator's own node", { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  let sequence: Address
  const attacker = freeAccount(0)
  const victim = freeAccount(1)
  const payee = freeAccount(2)

  /** Asks for the same payment to be adopted and returned; neither may be done. Answers how the two ended. */
  const claimed = async (terms: Terms, nonce: Hex, txHash: Hex) => {
    const payment = { from: attacker.address, nonce, amount: PRICE, txHash }
    const claims: IntentPayload[] = [
      { kind: 'adopt', terms, payment },
      { kind: 'return_stray', payment },
    ]
    const intents = await Promise.all(claims.map((claim) => request(bench, claim)))
    const outcomes = await Promise.all(intents.map((intent) => outcomeOf(bench, intent)))
    for (const intent of intents) expect(await transactionsOf(bench, intent)).to.deep.equal([])
    return outcomes
  }

  before(async () => {
    bench = await startBench()
    for (const { address } of [attacker, victim]) await mintUsdc(bench.chain, address, 1_000_000_000n)
    sequence = await deploySequence(bench.chain)
    await mintUsdc(bench.chain, sequence, 1_000_000_000n)
    facilitator = await actHere(bench)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  test("a nonce spent on oneself, with a victim's equal payment behind it, claims nothing [risk cancelled-payment]", async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const { nonce } = await signForHold(chain, attacker, terms)
    const onOneself = await signTransfer(chain, attacker, { to: attacker.address, value: PRICE, nonce })
    const victims = await signForHold(chain, victim, await newTerms(chain, payee.address, PRICE))
    const steps = [submission(chain, onOneself), submission(chain, victims)]
    const { transactionHash } = await inOneTransaction(chain, sequence, steps)
    expect(await claimed(terms, nonce, transactionHash)).to.deep.equal([NOT_EVIDENCE, NOT_EVIDENCE])
  })

  test('a nonce spent on oneself, with an unsigned transfer of the same account behind it, claims nothing', async () => {
    const { chain } = bench
    const approve = { account: attacker, address: chain.token, abi: tokenAbi, functionName: 'approve' } as const
    await mined(chain, chain.client.writeContract({ ...approve, args: [sequence, PRICE] }))
    const terms = await newTerms(chain, payee.address, PRICE)
    const { nonce } = await signForHold(chain, attacker, terms)
    const onOneself = await signTransfer(chain, attacker, { to: attacker.address, value: PRICE, nonce })
    const steps = [submission(chain, onOneself), transferFrom(chain, attacker.address, chain.escrow, PRICE)]
    const { transactionHash } = await inOneTransaction(chain, sequence, steps)
    expect(await claimed(terms, nonce, transactionHash)).to.deep.equal([NOT_EVIDENCE, NOT_EVIDENCE])
  })

  test('a made-up event before an unsigned transfer claims nothing [risk false-event]', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const { nonce } = await signForHold(chain, attacker, terms)
    const steps = [pretence(sequence, attacker.address, nonce), transfer(chain, chain.escrow, PRICE)]
    const { transactionHash } = await inOneTransaction(chain, sequence, steps)
    expect(await claimed(terms, nonce, transactionHash)).to.deep.equal([NOT_EVIDENCE, NOT_EVIDENCE])
  })

  test('a payment into the other kind of escrow claims nothing', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const custodied = await signForCustody(chain, attacker, PRICE)
    const { transactionHash } = await submitToToken(chain, custodied)
    const [adopted, returned] = await claimed(terms, custodied.nonce, transactionHash)
    expect(adopted).to.deep.equal({ status: 'refused', reason: 'terms_mismatch', tx_hash: null })
    expect(returned).to.deep.equal(NOT_EVIDENCE)
  })

  test('a payment under better terms than those signed for is not adopted [risk better-terms]', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const signed = await signForHold(chain, attacker, terms)
    const { transactionHash } = await submitToToken(chain, signed)
    const payment = { from: attacker.address, nonce: signed.nonce, amount: PRICE, txHash: transactionHash }
    const better = { ...terms, payee: victim.address }
    const outcome = await outcomeOf(bench, await request(bench, { kind: 'adopt', terms: better, payment }))
    expect(outcome).to.deep.equal({ status: 'refused', reason: 'terms_mismatch', tx_hash: null })
  })

  test('a payment is adopted or returned, never both [risk double-adoption]', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const signed = await signForHold(chain, attacker, terms)
    const { transactionHash } = await submitToToken(chain, signed)
    const payment = { from: attacker.address, nonce: signed.nonce, amount: PRICE, txHash: transactionHash }
    const intent = await request(bench, { kind: 'adopt', terms, payment })
    await passStrayDelay(bench, payment)
    const adopt = await outcomeOf(bench, intent)
    const back = await outcomeOf(bench, await request(bench, { kind: 'return_stray', payment }))
    expect(adopt.status).to.equal('confirmed')
    expect(back).to.deep.equal({ status: 'failed', reason: 'payment_claimed', tx_hash: null })
  })

  test('a node without the receipt of what it has mined is told by the state, and nothing is sent twice [risk missing-receipt]', async () => {
    const { chain } = bench
    const terms = await newTerms(chain, payee.address, PRICE)
    const authorization = await signForHold(chain, victim, terms)
    bench.proxy.intercept(async ({ method }, forward) =>
      method === 'eth_getTransactionReceipt' ? JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }) : forward(),
    )
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    bench.proxy.intercept(undefined)
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  describe('of a node that contradicts itself nothing is believed: nothing is signed, and nothing ends [risk node API10]', () => {
    const hotWallet = () => bench.chain.accounts.hotWallet.address
    const refund = async (): Promise<IntentOf<'payout'>> => {
      const signed = await signForCustody(bench.chain, attacker, PRICE)
      const deposit = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
      await blocksLater(bench, 3)
      return { kind: 'payout', deposit, leg: 'payer', to: attacker.address, amount: PRICE }
    }
    const paidByHand = async () => {
      const payout = await refund()
      const nonce = payoutNonce({ ...bench.chain, hotWallet: hotWallet() }, payout.deposit, 'payer')
      const { to, amount: value } = payout
      const signed = await signTransfer(bench.chain, roleAccount(bench.chain, 'hotWallet'), { to, value, nonce })
      await submitToToken(bench.chain, signed)
      await blocksLater(bench, 3)
      return payout
    }
    const isReceipt = ({ method, params: [hash] }: RpcCall, { deposit }: IntentOf<'payout'>) =>
      method === 'eth_getTransactionReceipt' && hash === deposit.txHash
    const isState = ({ params: [call] }: RpcCall, { deposit: { from, nonce } }: IntentOf<'payout'>) =>
      (call as { data?: string } | undefined)?.data ===
      encodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState', args: [from, nonce] })
    const answering = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })
    const elsewhere = (receipt: string) => {
      const { result } = JSON.parse(receipt)
      return answering({ ...result, blockHash: `0x${'f0'.repeat(32)}` })
    }
    const isEither = (call: RpcCall, payout: IntentOf<'payout'>) =>
      isReceipt(call, payout) || call.method === 'eth_getLogs'

    const cases: {
      name: string
      payout: () => Promise<IntentOf<'payout'>>
      isTwisted: typeof isReceipt
      twist: (call: RpcCall, truth: string) => string
    }[] = [
      {
        name: 'a deposit in a block that the chain does not have [risk orphan-receipt]',
        ...{ payout: refund, isTwisted: isReceipt, twist: (_call, truth) => elsewhere(truth) },
      },
      {
        name: 'a deposit whose authorization its state has as unspent [risk receipt-without-state]',
        ...{ payout: refund, isTwisted: isState, twist: () => answering(`0x${'0'.repeat(64)}`) },
      },
      {
        name: 'a spent authorization without a receipt, and without an event that spent it',
        ...{ payout: refund, isTwisted: isEither },
        twist: ({ method }) => answering(method === 'eth_getLogs' ? [] : null),
      },
      {
        name: 'a leg that is paid, without an event that paid it [risk hidden-logs]',
        ...{ payout: paidByHand, isTwisted: ({ method }) => method === 'eth_getLogs', twist: () => answering([]) },
      },
    ]
    test('its own transaction in a block that the chain does not have [risk orphan-own-transaction]', async () => {
      const terms = await newTerms(bench.chain, payee.address, PRICE)
      const authorization = await signForHold(bench.chain, victim, terms)
      let looks = 0
      const { promise: hasLookedAgain, resolve } = Promise.withResolvers<undefined>()
      bench.proxy.intercept(async ({ method }, forward) => {
        const truth = await forward()
        if (method !== 'eth_getTransactionReceipt') return truth
        if (++looks >= 2) resolve(undefined)
        return elsewhere(truth)
      })
      const intent = await request(bench, { kind: 'fund', terms, authorization })
      expect(await Promise.race([hasLookedAgain, outcomeOf(bench, intent)])).to.equal(undefined)
      bench.proxy.intercept(undefined)
      const [sent, ...more] = await transactionsOf(bench, intent)
      expect(await outcomeOf(bench, intent)).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: sent?.hash })
      expect(more).to.deep.equal([])
    })

    for (const { name, payout, isTwisted, twist } of cases) {
      test(name, async () => {
        const asked = await payout()
        let looks = 0
        const { promise: hasLookedAgain, resolve } = Promise.withResolvers<undefined>()
        bench.proxy.intercept(async (call, forward) => {
          const truth = await forward()
          if (!isTwisted(call, asked)) return truth
          if (++looks >= 2) resolve(undefined)
          return twist(call, truth)
        })
        const intent = await request(bench, asked)
        expect(await Promise.race([hasLookedAgain, outcomeOf(bench, intent)])).to.equal(undefined)
        expect(await transactionsOf(bench, intent)).to.deep.equal([])
        bench.proxy.intercept(undefined)
        expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      })
    }
  })
})

test('a payment that another transaction made is no false evidence until that one is final', async () => {
  const [from, nonce, token] = [freeAccount(0).address, padHex('0x1'), freeAccount(1).address]
  const [latest, confirmed, stated, other] = [padHex('0xa'), padHex('0xb'), padHex('0xc'), padHex('0xd')]
  const log = { address: token, topics: [AUTHORIZATION_USED, pad(from).toLowerCase(), nonce], transactionHash: other }
  const client = {
    readContract: async ({ blockHash }: { blockHash: Hex }) => blockHash === latest,
    request: async () => [{ ...log, blockNumber: '0xa', logIndex: '0x0' }],
    getTransactionReceipt: async ({ hash }: { hash: Hex }) => {
      if (hash !== other) throw new TransactionReceiptNotFoundError({ hash })
      return { transactionHash: other, blockNumber: 10n, blockHash: latest, logs: [log] }
    },
  }
  const check = (confirmedAt: { number: bigint; hash: Hex }) => {
    const head = { latest: { number: 10n, hash: latest }, confirmed: confirmedAt }
    const pass = { client, at: { token, startBlock: 0n }, head } as unknown as Pass
    return checkPayment(pass, { from, nonce, amount: PRICE, txHash: stated }, token)
  }
  expect(await check({ number: 8n, hash: confirmed })).to.equal('unknown')
  expect(await check({ number: 10n, hash: latest })).to.equal('false')
})
