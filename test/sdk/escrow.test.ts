import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Address, Hex } from 'viem'
import { urnString } from '../../protocol/encoding/urn.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { holdId, orderKey, termsHash } from '../../protocol/payments/terms.ts'
import {
  type EscrowFault,
  EscrowRefused,
  exitCall,
  type HoldExit,
  readClaimable,
  readHold,
  withdrawCall,
  withdrawForCall,
} from '../../sdk/escrow.ts'
import type { EthereumProvider } from '../../sdk/ethereum.ts'
import { reclaimHold } from '../../sdk/reclaim.ts'
import { sendEscrowCall } from '../../sdk/sendCall.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import { deployFormerEscrow } from '../kit/chain/formerEscrow.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { freeAccount, mined, mintUsdc, newTerms, signForHold } from '../kit/chain/payments.ts'

const PRICE = 20_000_000n

// Who waits for another transaction would wait for minutes.
describe('the ways out of the escrow, without the service', { timeout: 60_000 }, () => {
  let chain: TestChain
  let node: EthereumProvider
  const [payer, payee, other] = [freeAccount(0), freeAccount(1), freeAccount(2)] as const
  before(async () => {
    chain = await startChain()
    node = chain.client as unknown as EthereumProvider
    // What waits for a block gets one.
    await chain.client.setAutomine(true)
  })
  after(() => chain.stop())

  const faultOf = async (call: () => unknown): Promise<EscrowFault | undefined> => {
    try {
      await call()
    } catch (error) {
      if (error instanceof EscrowRefused) return error.fault
      throw error
    }
    return undefined
  }
  /** A hold on the chain: the order's id, and the transaction of its deposit. */
  async function hold(at = chain) {
    const id = randomUUID()
    const terms = { ...(await newTerms(chain, payee.address, PRICE)), order: orderKey(id) }
    await mintUsdc(chain, payer.address, PRICE)
    const { validAfter, validBefore, signature } = await signForHold(at, payer, terms)
    const args = [terms, payer.address, validAfter, validBefore, signature] as const
    const fund = { address: at.escrow, abi: escrowAbi, functionName: 'fund', args } as const
    const { transactionHash } = await mined(chain, chain.client.writeContract({ account: other, ...fund }))
    return { order: urnString('order', id), depositTx: transactionHash, terms }
  }
  const leave = async (exit: HoldExit, by: typeof payer, from: { order: string; depositTx: Hex }) => {
    const call = exitCall(chain, exit, await readHold(node, chain, from), by.address)
    return sendEscrowCall({ rpcUrl: chain.rpcUrl, account: by }, call)
  }
  const claimable = (account: Address) => readClaimable(node, chain, account)
  const withdraw = (by: typeof payer, to?: Address) =>
    sendEscrowCall({ rpcUrl: chain.rpcUrl, account: by }, withdrawCall(chain, to))

  it('the payer releases, and the payee withdraws, to itself as to another address', async () => {
    await leave('releaseByPayer', payer, await hold())
    const credit = await claimable(payee.address)
    expect(credit > 0n && credit <= PRICE).to.equal(true)
    const before = await balanceOf(chain, payee.address)
    await withdraw(payee)
    expect(await balanceOf(chain, payee.address)).to.equal(before + credit)
    await leave('releaseByPayer', payer, await hold())
    const elsewhere = await balanceOf(chain, other.address)
    await withdraw(payee, other.address)
    expect(await balanceOf(chain, other.address)).to.equal(elsewhere + credit)
    expect(await claimable(payee.address)).to.equal(0n)
  })

  it('the payee gives the money back, and anybody has it paid out', async () => {
    await leave('refundByPayee', payee, await hold())
    expect(await claimable(payer.address)).to.equal(PRICE)
    const before = await balanceOf(chain, payer.address)
    await sendEscrowCall({ rpcUrl: chain.rpcUrl, account: other }, withdrawForCall(chain, payer.address))
    expect(await balanceOf(chain, payer.address)).to.equal(before + PRICE)
  })

  it('the payer takes it back once it has expired, and not before: then nothing is sent', async () => {
    const made = await hold()
    const sent = () => chain.client.getTransactionCount({ address: payer.address })
    const count = await sent()
    const early = await leave('reclaim', payer, made).catch((error) => error)
    expect(String(early.message)).to.include('HoldNotExpired')
    const sender = { rpcUrl: chain.rpcUrl, account: payer }
    expect(await faultOf(() => reclaimHold(sender, chain, made))).to.equal('expiry')
    expect(await sent()).to.equal(count)
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(made.terms.expiry) + 1n })
    await chain.client.mine({ blocks: 1 })
    const stranger = { rpcUrl: chain.rpcUrl, account: other }
    expect(await faultOf(() => reclaimHold(stranger, chain, made))).to.equal('account')
    const before = await balanceOf(chain, payer.address)
    expect(await reclaimHold(sender, chain, made)).to.include({ reclaimedMicros: PRICE })
    expect((await balanceOf(chain, payer.address)) - before).to.equal(PRICE)
    expect(await claimable(payer.address)).to.equal(0n)
    const again = await reclaimHold(sender, chain, made).catch((error) => error)
    expect(String(again.message)).to.include('WrongState')
  })

  it('reads the terms from the chain, and their id is the one recomputed from them', async () => {
    const { terms, ...made } = await hold()
    const found = await readHold(node, chain, made)
    expect(found).to.deep.equal({ id: holdId(termsHash(chain, terms), payer.address), payer: payer.address, terms })
  })

  it('the payer takes its hold in an escrow of 1.0.0-rc.1 back', async () => {
    const former = { ...chain, escrow: await deployFormerEscrow(chain) }
    const { terms, ...made } = await hold(former)
    expect(await readHold(node, former, made)).to.deep.include({ payer: payer.address, terms })
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(terms.expiry) + 1n })
    await chain.client.mine({ blocks: 1 })
    const before = await balanceOf(chain, payer.address)
    await reclaimHold({ rpcUrl: chain.rpcUrl, account: payer }, former, made)
    expect((await balanceOf(chain, payer.address)) - before).to.equal(PRICE)
  })

  it('refuses what is of another chain, order or account, and recipients that would lose it', async () => {
    const made = await hold()
    const found = await readHold(node, chain, made)
    const elsewhere = { ...chain, chainId: 1 }
    expect(await faultOf(() => readHold(node, elsewhere, made))).to.equal('chain')
    expect(await faultOf(() => readClaimable(node, elsewhere, payer.address))).to.equal('chain')
    expect(await faultOf(() => readHold(node, { ...chain, escrow: chain.token }, made))).to.equal('deposit')
    const stranger = urnString('order', randomUUID())
    expect(await faultOf(() => readHold(node, chain, { ...made, order: stranger }))).to.equal('deposit')
    expect(await faultOf(() => readHold(node, chain, { ...made, order: 'market:ask:1' }))).to.equal('order')
    for (const exit of ['reclaim', 'releaseByPayer'] as const)
      expect(await faultOf(() => exitCall(chain, exit, found, payee.address))).to.equal('account')
    expect(await faultOf(() => exitCall(chain, 'refundByPayee', found, payer.address))).to.equal('account')
    for (const lost of [chain.escrow, chain.token])
      expect(await faultOf(() => withdrawCall(chain, lost))).to.equal('recipient')
  })

  it('refuses the terms of a node that lies about them', async () => {
    const { order, depositTx } = await hold()
    const lying: EthereumProvider = {
      async request(call) {
        const answer = await node.request(call)
        if (call.method !== 'eth_getTransactionReceipt') return answer
        const text = JSON.stringify(answer).replaceAll(
          payee.address.slice(2).toLowerCase(),
          other.address.slice(2).toLowerCase(),
        )
        return JSON.parse(text)
      },
    }
    expect(await faultOf(() => readHold(lying, chain, { order, depositTx }))).to.equal('deposit')
  })
})
