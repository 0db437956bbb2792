import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, decodeFunctionData, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import {
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  transferAuthorizationTypedData,
} from '../../../protocol/payments/authorization.ts'
import type { AuthorizationType } from '../../../protocol/payments/paymentSignature.ts'
import { type Terms, termsHash } from '../../../protocol/payments/terms.ts'
import { deploySignerWallet } from '../../kit/api/identity/wallets/signerWallet.ts'
import { freeAccount, mintUsdc, newTerms } from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'

const PRICE = 20_000_000n

describe('the two types of authorization that a payer can sign for the escrow', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  let wallet: Address
  const owner = freeAccount(0)
  const seller = freeAccount(1)

  before(async () => {
    bench = await startBench()
    wallet = await deploySignerWallet(bench.chain, owner.address)
    for (const address of [owner.address, wallet]) await mintUsdc(bench.chain, address, 1_000_000_000n)
    facilitator = await actHere(bench)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  for (const [type, call] of [
    ['receive', 'fundWithReceive'],
    ['transfer', 'fund'],
  ] as const) {
    for (const who of ['a key', 'a contract wallet']) {
      test(`a ${type} of ${who} is submitted by ${call}`, async () => {
        const terms = await newTerms(bench.chain, seller.address, PRICE)
        const from = who === 'a key' ? owner.address : wallet
        const authorization = await signedFor(terms, { from, by: owner, type })
        const intent = await request(bench, { kind: 'fund', terms, authorization })
        expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
        expect(await callsFor(intent)).to.deep.equal([call])
      })
    }
  }

  test('what the payer signed as neither is not submitted', async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    for (const from of [owner.address, wallet]) {
      const authorization = await signedFor(terms, { from, by: seller, type: 'receive' })
      const intent = await request(bench, { kind: 'fund', terms, authorization })
      expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'signature_invalid' })
      expect(await callsFor(intent)).to.deep.equal([])
    }
  })

  async function signedFor(
    terms: Terms,
    { from, by, type }: { from: Address; by: PrivateKeyAccount; type: AuthorizationType },
  ): Promise<SignedAuthorization> {
    const { chain } = bench
    const times = { validAfter: 0n, validBefore: BigInt(terms.fundBy) }
    const message = { from, to: chain.escrow, value: terms.amount, nonce: termsHash(chain, terms), ...times }
    const domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
    const signature =
      type === 'receive'
        ? await by.signTypedData(receiveAuthorizationTypedData(domain, message))
        : await by.signTypedData(transferAuthorizationTypedData(domain, message))
    return { ...message, signature }
  }

  async function callsFor(intent: string): Promise<string[]> {
    const sent = await transactionsOf(bench, intent)
    return sent.map(({ raw }) => {
      const { data = '0x' } = parseTransaction(raw as `0x02${string}`)
      return decodeFunctionData({ abi: escrowAbi, data }).functionName
    })
  }
})
