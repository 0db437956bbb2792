import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Address, getAddress, type Hex, toHex } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { holdId, TERMS_TYPEHASH, type Terms, termsHash } from '../../../protocol/payments/terms.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const address = bytesOf(20).map((bytes): Address => getAddress(toHex(bytes)))
const terms = fc.record<Terms>({
  order: bytesOf(32).map((bytes): Hex => toHex(bytes)),
  payee: address,
  amount: fc.bigInt(0n, 2n ** 128n - 1n),
  feeRecipient: address,
  feeBps: fc.integer({ min: 0, max: 2 ** 16 - 1 }),
  fundBy: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  expiry: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
})

describe('the hashes of a hold', { timeout: 60_000 }, () => {
  let chain: TestChain

  before(async () => {
    chain = await startChain()
  })

  after(() => chain.stop())

  it('are those of the deployed contract, for any terms and payer', async () => {
    const contract = { address: chain.escrow, abi: escrowAbi } as const
    expect(await chain.client.readContract({ ...contract, functionName: 'TERMS_TYPEHASH' })).to.equal(TERMS_TYPEHASH)
    await fc.assert(
      fc.asyncProperty(terms, address, async (some, payer) => {
        const hash = termsHash(chain, some)
        const [onChain, idOnChain] = await Promise.all([
          chain.client.readContract({ ...contract, functionName: 'termsHash', args: [some] }),
          chain.client.readContract({ ...contract, functionName: 'holdId', args: [some, payer] }),
        ])
        expect(hash).to.equal(onChain)
        expect(holdId(hash, payer)).to.equal(idOnChain)
      }),
    )
  })
})
