import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { MAX_FEE_BPS, requireWithinCap } from '../../protocol/payments/fees.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'

describe('what the contract allows', () => {
  let chain: TestChain

  before(async () => {
    chain = await startChain()
  })
  after(() => chain.stop())

  it('is the fee that the service takes for its cap, and a rate above it is refused', async () => {
    const cap = { address: chain.escrow, abi: escrowAbi, functionName: 'MAX_FEE_BPS' } as const
    expect(await chain.client.readContract(cap)).to.equal(MAX_FEE_BPS)
    const rates = (feeBps: number) => [
      { from: new Date(0), feeBps: 500 },
      { from: new Date('2100-01-01'), feeBps },
    ]
    requireWithinCap(rates(MAX_FEE_BPS))
    expect(() => requireWithinCap(rates(MAX_FEE_BPS + 1))).to.throw("above the contract's cap")
  })
})
