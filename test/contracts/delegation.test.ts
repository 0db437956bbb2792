import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, zeroAddress } from 'viem'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import { holdId, type Terms } from '../../protocol/payments/terms.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { freeAccount, mined, mintUsdc, newTerms, roleAccount, signForHold } from '../kit/chain/payments.ts'

const PRICE_MICROS = 20_000_000n
const HELD = 1

describe('a payer that delegates its account (EIP-7702)', () => {
  const payer = freeAccount(0)
  let chain: TestChain
  let terms: Terms
  let signed: SignedAuthorization

  before(async () => {
    chain = await startChain()
    await mintUsdc(chain, payer.address, PRICE_MICROS)
    terms = await newTerms(chain, freeAccount(1).address, PRICE_MICROS)
    signed = await signForHold(chain, payer, terms)
  })
  after(() => chain.stop())

  it('cannot pay by its key while its code answers no ERC-1271', async () => {
    await delegate(chain.escrow)
    expect(await chain.client.getCode({ address: payer.address })).to.equal(
      `0xef0100${chain.escrow.slice(2)}`.toLowerCase(),
    )
    const refusal = await simulateFunding().then(
      () => 'funded',
      (error: Error) => error.message,
    )
    expect(refusal).to.contain('FiatTokenV2: invalid signature')
  })

  it('pays by the same signature once it delegates no more', async () => {
    await delegate(zeroAddress)
    const { request } = await simulateFunding()
    await mined(chain, chain.client.writeContract(request))
    const id = holdId(signed.nonce, payer.address)
    const call = { address: chain.escrow, abi: escrowAbi, functionName: 'stateOf', args: [id] } as const
    expect(await chain.client.readContract(call)).to.equal(HELD)
  })

  function simulateFunding() {
    const { from, validAfter, validBefore, signature } = signed
    return chain.client.simulateContract({
      account: roleAccount(chain, 'submitter'),
      address: chain.escrow,
      abi: escrowAbi,
      functionName: 'fund',
      args: [terms, from, validAfter, validBefore, signature],
    })
  }

  async function delegate(to: Address) {
    const authorization = await chain.client.signAuthorization({ account: payer, contractAddress: to })
    const account = roleAccount(chain, 'submitter')
    const authorizationList = [authorization]
    await mined(chain, chain.client.sendTransaction({ account, to: account.address, authorizationList, gas: 200_000n }))
  }
})
