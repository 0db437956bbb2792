import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import { type IntentPayload, storeIntent } from '../../protocol/payments/intents.ts'
import { type Terms, termsHash } from '../../protocol/payments/terms.ts'
import { cancelAuthorization } from '../kit/chain/cancel.ts'
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
import { REFUSING } from '../kit/chain/walletCode.ts'
import {
  type Acting,
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  blocksLater,
  currentOutcome,
  letTimePass,
  outcomeOf,
  request,
  requestStored,
  startBench,
  transactionsOf,
} from '../kit/facilitator/facilitator.ts'

const PRICE = 20_000_000n
/** It says yes, and changes something by it: a call from outside is not refused, the token's is. */
const NOTING: Address = '0x00000000000000000000000000000000000bad99'
const NOTING_CODE = `0x60015f557f1626ba7e${'00'.repeat(28)}5f5260205ff3` as const

describe('what the chain refuses', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  let spentEarlier: SignedAuthorization
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const poor = freeAccount(2)

  const signFor = (payer: PrivateKeyAccount, terms: Terms, times: Partial<SignedAuthorization> = {}) => {
    const nonce = termsHash(bench.chain, terms)
    return signTransfer(bench.chain, payer, { to: bench.chain.escrow, value: terms.amount, nonce, ...times })
  }
  /**
   * Asks for a payment that cannot be made, and returns why, having seen that no transaction was wasted on
   * it.
   */
  const reasonFor = async (terms: Terms, authorization: SignedAuthorization) => {
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    const { status, reason } = await outcomeOf(bench, intent)
    expect(status).to.equal('failed')
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    return reason
  }
  const terms = () => newTerms(bench.chain, seller.address, PRICE)
  const now = async () => (await bench.chain.client.getBlock()).timestamp

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    spentEarlier = await signForCustody(bench.chain, buyer, PRICE)
    const { blockNumber } = await submitToToken(bench.chain, spentEarlier)
    facilitator = await actHere(bench, { START_BLOCK: String(blockNumber + 1n) })
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  test('a payer without the money [risk no-money]', async () => {
    const unaffordable = await terms()
    expect(await reasonFor(unaffordable, await signForHold(bench.chain, poor, unaffordable))).to.equal(
      'insufficient_balance',
    )
  })

  test('a signature of somebody else, and one cut short [risk wallet-denies]', async () => {
    const wanted = await terms()
    const signed = { ...(await signForHold(bench.chain, poor, wanted)), from: buyer.address }
    expect(await reasonFor(wanted, signed)).to.equal('signature_invalid')
    expect(await reasonFor(wanted, { ...signed, signature: '0x1234' })).to.equal('signature_invalid')
  })

  test('a contract wallet that does not say yes, in whatever way it does not; a fair payment goes on meanwhile [risk wallet-answers]', async () => {
    const intents: [Address, string][] = []
    const addresses: Address[] = Object.keys(REFUSING).map((_, index) => numberToHex(0xbad00 + index, { size: 20 }))
    for (const [index, bytecode] of [...Object.values(REFUSING), NOTING_CODE].entries()) {
      const from = addresses[index] ?? NOTING
      await bench.chain.client.setCode({ address: from, bytecode })
      await mintUsdc(bench.chain, from, PRICE)
    }
    for (const from of [...addresses, NOTING]) {
      const authorization = { ...(await signForCustody(bench.chain, buyer, PRICE)), from }
      intents.push([from, await request(bench, { kind: 'deposit', authorization })])
    }
    const fair = await signForCustody(bench.chain, buyer, PRICE)
    expect((await outcomeOf(bench, await request(bench, { kind: 'deposit', authorization: fair }))).status).to.equal(
      'confirmed',
    )
    for (const [from, intent] of intents) {
      const refusal = { status: 'failed', reason: 'signature_invalid', tx_hash: null }
      expect(await outcomeOf(bench, intent), from).to.deep.equal(refusal)
      expect(await transactionsOf(bench, intent), from).to.deep.equal([])
    }
  })

  test('numbers at their borders: what the chain can take is taken, and what has no place in it is no intent [risk other-amount]', async () => {
    const hotWallet = bench.chain.accounts.hotWallet.address
    const nonce = numberToHex(2n ** 256n - 1n)
    const endless = await signTransfer(bench.chain, buyer, {
      ...{ to: hotWallet, value: PRICE, nonce, validBefore: 2n ** 256n - 1n },
    })
    const everything = await signTransfer(bench.chain, buyer, {
      ...{ to: hotWallet, value: 2n ** 256n - 1n, nonce: numberToHex(7, { size: 32 }) },
    })
    const wanted = await terms()
    const fair: IntentPayload = {
      ...{ kind: 'fund', terms: wanted, authorization: await signForHold(bench.chain, buyer, wanted) },
    }
    const stored = storeIntent(fair) as unknown as { terms: object; authorization: object }
    const wrong: object[] = [
      ...[{ amount: String(2n ** 128n) }, { amount: '-1' }, { amount: '1e7' }, { amount: ' 1' }, { amount: '0x1' }],
      ...[{ feeBps: 65_536 }, { feeBps: -1 }, { feeBps: 0.5 }, { fundBy: 2 ** 48 }, { expiry: 2 ** 48 }],
    ].map((change) => ({ ...stored, terms: { ...stored.terms, ...change } }))
    const wider = [
      { value: String(2n ** 256n) },
      { validAfter: '9'.repeat(90) },
      { validBefore: '01' },
      { nonce: '0x' },
    ]
    wrong.push(...wider.map((change) => ({ ...stored, authorization: { ...stored.authorization, ...change } })))
    const [ended, unaffordable] = await Promise.all(
      [endless, everything].map((authorization) => request(bench, { kind: 'deposit', authorization })),
    )
    for (const payload of wrong) {
      const intent = await requestStored(bench, 'fund', payload)
      const refusal = { status: 'refused', reason: 'payload_invalid', tx_hash: null }
      expect(await outcomeOf(bench, intent), JSON.stringify(payload)).to.deep.equal(refusal)
    }
    expect(await outcomeOf(bench, unaffordable ?? '')).to.include({ status: 'failed', reason: 'insufficient_balance' })
    expect((await outcomeOf(bench, ended ?? '')).status).to.equal('confirmed')
    expect((await outcomeOf(bench, await request(bench, fair))).status).to.equal('confirmed')
  })

  test('an authorization whose time is over', async () => {
    const wanted = await terms()
    const signed = await signFor(buyer, wanted, { validBefore: (await now()) - 10n })
    expect(await reasonFor(wanted, signed)).to.equal('authorization_expired')
  })

  test('an authorization that its payer cancelled', async () => {
    const wanted = await terms()
    const signed = await signForHold(bench.chain, buyer, wanted)
    await cancelAuthorization(bench.chain, buyer, signed)
    expect(await reasonFor(wanted, signed)).to.equal('authorization_used')
  })

  test('an authorization that was spent before there was anything of ours [risk spent-before-start]', async () => {
    const intent = await request(bench, { kind: 'deposit', authorization: spentEarlier })
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'authorization_used' })
  })

  test('terms that may not be funded any more', async () => {
    const late = { ...(await terms()), fundBy: Number(await now()) - 10 }
    expect(await reasonFor(late, await signForHold(bench.chain, buyer, late))).to.equal('funding_closed')
  })

  test('an account that the token has blocked [risk blocked-payer]', async () => {
    const wanted = await terms()
    const signed = await signForHold(bench.chain, buyer, wanted)
    const call = { account: roleAccount(bench.chain, 'deployer'), address: bench.chain.token, abi: tokenAbi } as const
    const args = [buyer.address] as const
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName: 'blacklist', args }))
    expect(await reasonFor(wanted, signed)).to.equal('blacklisted')
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName: 'unBlacklist', args }))
  })

  test('what the newest block alone refuses ends nothing [risk newest-block-refusal]', async () => {
    const { client, token } = bench.chain
    await mintUsdc(bench.chain, poor.address, PRICE)
    await blocksLater(bench, 3)
    await client.setIntervalMining({ interval: 0 })
    const wanted = await terms()
    const transfer = { address: token, abi: tokenAbi, functionName: 'transfer' } as const
    await mined(bench.chain, client.writeContract({ ...transfer, account: poor, args: [seller.address, PRICE] }))
    const authorization = await signForHold(bench.chain, poor, wanted)
    const intent = await request(bench, { kind: 'fund', terms: wanted, authorization })
    const calls = await callsSeen(bench, 4)
    expect(calls).to.equal(4)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    await mined(bench.chain, client.writeContract({ ...transfer, account: seller, args: [poor.address, PRICE] }))
    await client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('an authorization that is not valid yet, and a paused escrow, are waited out [risk valid-after]', async () => {
    const early = await terms()
    const signed = await signFor(buyer, early, { validAfter: (await now()) + 3n })
    const pausable = await terms()
    const call = { account: roleAccount(bench.chain, 'deployer'), address: bench.chain.escrow, abi: escrowAbi } as const
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName: 'pause' }))
    const intents = [
      await request(bench, { kind: 'fund', terms: early, authorization: signed }),
      await request(bench, {
        ...{ kind: 'fund', terms: pausable, authorization: await signForHold(bench.chain, buyer, pausable) },
      }),
    ]
    // Time for a second look, when both blocks it goes by know of the pause.
    await blocksLater(bench, 15)
    for (const intent of intents) expect(await currentOutcome(bench, intent)).to.equal(undefined)
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName: 'unpause' }))
    await letTimePass(bench, 10)
    for (const intent of intents) expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })
})

/** Waits until the facilitator has called the chain so many times more. */
async function callsSeen({ proxy }: Bench, count: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let seen = 0
  proxy.intercept((rpc, forward) => {
    if (rpc.method === 'eth_call') seen += 1
    if (seen >= count) resolve(seen)
    return forward()
  })
  await promise
  proxy.intercept(undefined)
  return promise
}
