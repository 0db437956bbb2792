import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { audit } from '../../audit/audit.ts'
import { OtherChain, readHead } from '../../facilitator/chain/head.ts'
import { checkChain } from '../../facilitator/preflight.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { Unfit } from '../../protocol/environment/databaseFaults.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { orderKey, type Terms } from '../../protocol/payments/terms.ts'
import { EscrowRefused, readHold } from '../../sdk/escrow.ts'
import type { EthereumProvider } from '../../sdk/ethereum.ts'
import { reclaimHold } from '../../sdk/reclaim.ts'
import { type Audited, build, startAudited } from '../kit/audit/audited.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import type { TestChain } from '../kit/chain/node.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForHold,
  signTransfer,
} from '../kit/chain/payments.ts'
import { startRenamed } from '../kit/chain/renamedChain.ts'

const PRICE = 20_000_000n
const NEW_ID = 8_453

describe('a chain whose id has changed', { timeout: 120_000 }, () => {
  const [payer, payee, other] = [freeAccount(5), freeAccount(6), freeAccount(7)] as const
  const orderId = randomUUID()
  let audited: Audited
  let renamed: TestChain
  let terms: Terms
  let deposit: { order: string; depositTx: string }

  before(async () => {
    audited = await startAudited()
    const { chain } = audited
    terms = { ...(await newTerms(chain, payee.address, PRICE)), order: orderKey(orderId) }
    deposit = { order: urnString('order', orderId), depositTx: await fund(chain, terms) }
    const { rpcUrl, stop } = await startRenamed(chain, NEW_ID)
    renamed = { ...chain, rpcUrl, chainId: NEW_ID, client: clientOf(rpcUrl), stop: async () => stop() }
  })
  after(() => Promise.all([renamed?.stop(), audited?.stop()]))

  async function fund(chain: TestChain, held: Terms) {
    await mintUsdc(chain, payer.address, held.amount)
    const { validAfter, validBefore, signature } = await signForHold(chain, payer, held)
    const args = [held, payer.address, validAfter, validBefore, signature] as const
    const call = { address: chain.escrow, abi: escrowAbi, functionName: 'fund', args } as const
    const { transactionHash } = await mined(chain, chain.client.writeContract({ account: other, ...call }))
    return transactionHash
  }

  it('ends the facilitator, under the former id and under the new one', async () => {
    const { chain } = audited
    const client = renamed.client as never
    const store = { marketTime: async () => (await chain.client.getBlock()).timestamp }
    const head = readHead({ client, at: chain as never, confirmations: 1, witness: undefined, store })
    expect(await head.catch((error: unknown) => error)).to.be.instanceOf(OtherChain)
    const at = { ...chain, chainId: NEW_ID, hotWallet: chain.accounts.hotWallet.address }
    const refusal = await checkChain(client, at, { resolver: roleAccount(chain, 'resolver').address }).catch(
      (error: Error) => error,
    )
    expect(refusal).to.be.instanceOf(Unfit)
    expect(refusal).to.have.property('message', `the escrow was deployed on chain 31337, and CHAIN_ID is ${NEW_ID}`)
  })

  it('is audited by the ids and signatures of its former id', async () => {
    const { target, records, keys, fees } = audited
    const { receipts } = records
    const toBlock = await renamed.client.getBlockNumber()
    const published = { fees: { signed: fees }, keys, receipts, build }
    const report = await audit(renamed.client as never, { ...target, chainId: NEW_ID, toBlock }, published)
    expect(report.findings).to.deep.equal([])
    expect(report.chainId).to.equal(31_337)
    expect(report.contract.payments).to.be.above(1)
  })

  it('takes no payment that was signed for the former id, by the same nonce [risk split-chain]', async () => {
    const { chain } = audited
    const others = { ...terms, order: orderKey(randomUUID()) }
    await mintUsdc(renamed, payer.address, PRICE)
    const submit = async (signer: TestChain) => {
      const signed = await signForHold(chain, payer, others)
      const { validAfter, validBefore, nonce } = signed
      const message = { to: chain.escrow, value: others.amount, nonce, validAfter, validBefore }
      const { signature } = await signTransfer(signer, payer, message)
      const args = [others, payer.address, validAfter, validBefore, signature] as const
      const call = { address: chain.escrow, abi: escrowAbi, functionName: 'fund', args } as const
      return renamed.client.simulateContract({ account: other, ...call }).then(
        () => 'accepted',
        (error: Error) => error.message,
      )
    }
    expect(await submit(chain)).to.contain('FiatTokenV2: invalid signature')
    expect(await submit(renamed)).to.equal('accepted')
  })

  it('lets the payer reclaim and withdraw by the SDK under the new id [risk changed-chain-id]', async () => {
    const node = renamed.client as unknown as EthereumProvider
    const former = await readHold(node, audited.chain, deposit).catch((error: unknown) => error)
    expect(former).to.be.instanceOf(EscrowRefused).with.property('fault', 'chain')
    await renamed.client.setAutomine(true)
    await renamed.client.setNextBlockTimestamp({ timestamp: BigInt(terms.expiry) + 1n })
    await renamed.client.mine({ blocks: 1 })
    const before = await balanceOf(renamed, payer.address)
    const { escrow, token } = renamed
    const market = { chainId: NEW_ID, escrow, token }
    await reclaimHold({ rpcUrl: renamed.rpcUrl, account: payer }, market, deposit)
    expect((await balanceOf(renamed, payer.address)) - before).to.equal(PRICE)
  })
})

function clientOf(rpcUrl: string): TestChain['client'] {
  return createTestClient({ mode: 'hardhat', transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions) as never
}
