import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, padHex, toHex } from 'viem'
import type { Deposit } from '../../audit/custody.ts'
import { auditRedirects } from '../../audit/redirects.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { mineBlocks, mined, roleAccount } from '../kit/chain/payments.ts'

const account = (seed: number): Address => padHex(toHex(seed), { size: 20 })
const [PAYER, OTHER] = [account(1001), account(1002)]

describe('a refund that went to somebody else', () => {
  let chain: TestChain
  let at: { chainId: number; token: Address; hotWallet: Address }

  before(async () => {
    chain = await startChain()
    at = { ...chain, hotWallet: chain.accounts.hotWallet.address }
  })
  after(() => chain?.stop())

  const setBlocked = (functionName: 'blacklist' | 'unBlacklist') => {
    const call = { account: roleAccount(chain, 'deployer'), address: chain.token, abi: tokenAbi } as const
    return mined(chain, chain.client.writeContract({ ...call, functionName, args: [PAYER] }))
  }
  const head = () => chain.client.getBlockNumber({ cacheTime: 0 })
  const refunded = (to: Address, blockNumber: bigint): Deposit => {
    const nonce = padHex('0x1')
    const paid = { txHash: nonce, blockNumber: 1n, logIndex: 1, amountMicros: 5n, authorizationNonce: nonce }
    const transfer = { ...paid, from: PAYER, to: at.hotWallet }
    return {
      transfer,
      nonce,
      isAppealFee: false,
      fees: [],
      legs: { payer: { ...paid, from: at.hotWallet, to, blockNumber } },
    }
  }
  const codes = async (to: Address, blockNumber: bigint) =>
    (await auditRedirects(chain.client, at, [refunded(to, blockNumber)])).map(({ code }) => code)

  it('is sound while the token refused its payer, and named before and after that', async () => {
    await mineBlocks(chain, 2)
    const before = await head()
    await setBlocked('blacklist')
    await mineBlocks(chain, 2)
    const during = await head()
    await setBlocked('unBlacklist')
    await mineBlocks(chain, 2)
    const afterwards = await head()
    expect(await codes(OTHER, during)).to.deep.equal([])
    expect(await codes(OTHER, before)).to.deep.equal(['custody/refund-to-other'])
    expect(await codes(OTHER, afterwards)).to.deep.equal(['custody/refund-to-other'])
    expect(await codes(PAYER, before)).to.deep.equal([])
  })
})
