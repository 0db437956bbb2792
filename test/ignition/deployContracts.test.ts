import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, createPublicClient, custom, encodeFunctionData, zeroHash } from 'viem'
import { verifyTokenDomain } from '../../ignition/tokenDomain.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { mintUsdc } from '../kit/chain/payments.ts'

describe('a deployment', { timeout: 60_000 }, () => {
  let chain: TestChain

  before(async () => {
    chain = await startChain()
  })

  after(() => chain.stop())

  it('gives the escrow its token and everyone the role they are named for', async () => {
    const { accounts, client, escrow, token } = chain
    const contract = { address: escrow, abi: escrowAbi } as const
    expect(await client.readContract({ ...contract, functionName: 'token' })).to.equal(token)
    expect(await client.readContract({ ...contract, functionName: 'resolver' })).to.equal(accounts.resolver.address)
    expect(await client.readContract({ ...contract, functionName: 'defaultAdmin' })).to.equal(accounts.deployer.address)
    await mintUsdc(chain, accounts.feeRecipient.address, 1n)
  })

  it('tells the block before which nothing happened', async () => {
    const { client, escrow, token, startBlock } = chain
    const logs = await client.getLogs({ address: [escrow, token], fromBlock: 0n })
    expect(logs).not.to.be.empty
    for (const { blockNumber } of logs) expect(blockNumber >= startBlock).to.equal(true)
  })

  it('refuses a token whose domain is not what its name and version say [risk token-domain]', async () => {
    const altered = answering(chain, encodeFunctionData({ abi: tokenAbi, functionName: 'DOMAIN_SEPARATOR' }), zeroHash)
    const refused = await verifyTokenDomain(altered, chain.token).catch(String)
    expect(refused).to.contain('has domain separator')
  })

  it('refuses a token whose unit is not the millionth', async () => {
    const eighteen = `0x${(18).toString(16).padStart(64, '0')}`
    const altered = answering(chain, encodeFunctionData({ abi: tokenAbi, functionName: 'decimals' }), eighteen)
    const refused = await verifyTokenDomain(altered, chain.token).catch(String)
    expect(refused).to.contain('has 18 decimals')
  })
})

/** The chain, if its contracts answered `answer` to the call `data`. */
function answering({ client }: TestChain, data: string, answer: string) {
  return createPublicClient({
    transport: custom({
      async request({ method, params }: { method: string; params: [{ data: string; to: Address }] }) {
        if (method === 'eth_call' && params[0].data === data) return answer
        return client.request({ method, params } as Parameters<typeof client.request>[0])
      },
    }),
  })
}
