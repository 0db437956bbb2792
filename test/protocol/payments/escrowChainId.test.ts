import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createPublicClient, http } from 'viem'
import { readEscrowChainId } from '../../../protocol/payments/escrowChainId.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { freeAccount } from '../../kit/chain/payments.ts'

describe('the chain id of an escrow', () => {
  let chain: TestChain

  before(async () => {
    chain = await startChain()
  })
  after(() => chain.stop())

  it('is read from the contract', async () => {
    expect(await readEscrowChainId(chain.client, chain.escrow)).to.equal(chain.chainId)
  })

  it('is undefined for a contract without the function, as for an address without code', async () => {
    expect(await readEscrowChainId(chain.client, chain.token)).to.equal(undefined)
    expect(await readEscrowChainId(chain.client, freeAccount(0).address)).to.equal(undefined)
  })

  it('throws the error of a node that does not answer', async () => {
    const client = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
    const error = await readEscrowChainId(client, chain.escrow).catch((failure: unknown) => failure)
    expect(String(error)).to.contain('HTTP request failed')
  })
})
