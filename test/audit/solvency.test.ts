import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, padHex } from 'viem'
import { audit } from '../../audit/audit.ts'
import { auditOutflows } from '../../audit/claimable.ts'
import type { ColdWallet } from '../../audit/coldWallets.ts'
import type { EscrowEvent, Transfer } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { coldWalletMessage } from '../../protocol/payments/coldWallet.ts'
import { appealFeeNonce, appealKey, sweepNonce } from '../../protocol/payments/nonces.ts'
import { type Audited, build, startAudited } from '../kit/audit/audited.ts'
import {
  freeAccount,
  mineBlocks,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
  transferUnsigned,
} from '../kit/chain/payments.ts'

const HOUR_SECONDS = 3_600

describe('an audit, after custody was emptied', () => {
  const cold = freeAccount(5)
  const thief = freeAccount(6).address
  let audited: Audited
  let snapshot: Hex

  before(async () => {
    audited = await startAudited()
  })
  after(() => audited?.stop())
  beforeEach(async () => {
    snapshot = await audited.chain.client.snapshot()
  })
  afterEach(() => audited.chain.client.revert({ id: snapshot }))

  const place = () => ({ ...audited.chain, hotWallet: audited.target.hotWallet })
  const provenBy = async (signer = cold, location = place()): Promise<ColdWallet> => {
    const message = coldWalletMessage({ ...location, coldWallet: cold.address })
    return { address: cold.address, proof: await signer.signMessage({ message }) }
  }
  const sweepAll = async () => {
    const hotWallet = roleAccount(audited.chain, 'hotWallet')
    const nonce = sweepNonce(place(), 1n)
    const value = await audited.chain.client.readContract({
      address: audited.chain.token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [hotWallet.address],
    })
    await submitToToken(audited.chain, await signTransfer(audited.chain, hotWallet, { to: cold.address, value, nonce }))
    return value
  }
  const report = async (given: Partial<Published> = {}) => {
    const { chain, target, records, keys, fees } = audited
    const published = { fees: { signed: fees }, keys, receipts: records.receipts, payouts: records.payouts }
    return audit(
      chain.client,
      { ...target, toBlock: await chain.client.getBlockNumber() },
      { ...published, liabilities: [records.liabilities], ...given },
    )
  }
  const codesOf = async (given: Partial<Published> = {}) => (await report(given)).findings.map(({ code }) => code)

  it('counts an appeal’s fee as owed to nobody, if its key says that it is one', async () => {
    const [payer, hotWallet] = [freeAccount(4), roleAccount(audited.chain, 'hotWallet')]
    const value = 1_000_000_000n
    const appeal = appealKey({ disputeId: randomUUID(), appellantId: randomUUID() })
    const nonce = appealFeeNonce(place(), appeal, value)
    await mintUsdc(audited.chain, payer.address, value)
    await submitToToken(
      audited.chain,
      await signTransfer(audited.chain, payer, { to: hotWallet.address, value, nonce }),
    )
    const swept = { to: cold.address, value, nonce: sweepNonce(place(), 1n) }
    await submitToToken(audited.chain, await signTransfer(audited.chain, hotWallet, swept))
    const coldWallets = [{ address: cold.address }]
    expect(await codesOf({ coldWallets })).to.deep.equal(['custody/insolvent'])
    expect(await codesOf({ coldWallets, appeals: [padHex('0x1')] })).to.deep.equal(['custody/insolvent'])
    expect(await codesOf({ coldWallets, appeals: [appeal] })).to.deep.equal([])
  })

  it('names the theft of what was swept to the published cold wallet [risk cold-wallet]', async () => {
    const value = await sweepAll()
    const coldWallets = [await provenBy()]
    expect(await codesOf({ coldWallets })).to.deep.equal([])
    await transferUnsigned(audited.chain, cold.address, thief, value)
    expect(await codesOf({ coldWallets })).to.deep.equal(['custody/insolvent'])
  })

  it('names it without any root, too', async () => {
    const value = await sweepAll()
    await transferUnsigned(audited.chain, cold.address, thief, value)
    expect(await codesOf({ coldWallets: [await provenBy()], liabilities: [] })).to.deep.equal(['custody/insolvent'])
  })

  it('counts nothing of a cold wallet that did not prove its control for this hot wallet', async () => {
    await sweepAll()
    const unproven = { address: cold.address }
    expect(await codesOf({ coldWallets: [unproven] })).to.deep.equal(['custody/insolvent'])
    const wrong = ['custody/cold-wallet-unproven', 'custody/insolvent']
    expect(await codesOf({ coldWallets: [await provenBy(freeAccount(7))] })).to.deep.equal(wrong)
    const elsewhere = { ...place(), hotWallet: thief }
    expect(await codesOf({ coldWallets: [await provenBy(cold, elsewhere)] })).to.deep.equal(wrong)
  })

  it('says that a cold wallet without a proof was not counted, where nothing depends on it', async () => {
    const { findings, notChecked } = await report({ coldWallets: [{ address: cold.address }] })
    expect(findings).to.deep.equal([])
    expect(notChecked.join('\n')).to.include(cold.address)
  })

  it('names a newest root that is more than three periods old', async () => {
    await mineBlocks(audited.chain, 1, 3 * HOUR_SECONDS - 100)
    expect(await codesOf()).to.deep.equal([])
    await mineBlocks(audited.chain, 1, 200)
    expect(await codesOf()).to.deep.equal(['liabilities/outdated'])
    expect(await codesOf({ liabilitySeconds: 2 * HOUR_SECONDS })).to.deep.equal([])
  })

  it('names a contract whose code is not what the sources compile to', async () => {
    const { chain } = audited
    expect(await codesOf({ build })).to.deep.equal([])
    const code = await chain.client.getCode({ address: chain.escrow })
    await chain.client.setCode({ address: chain.escrow, bytecode: `${code?.replace(/..$/, 'ff')}` as Hex })
    expect(await codesOf({ build })).to.include('escrow/code-differs')
  })

  it('names a contract of the right code that holds another token', async () => {
    const { chain, target } = audited
    const code = (await chain.client.getCode({ address: chain.escrow })) ?? '0x'
    const other = code.replaceAll(target.token.slice(2).toLowerCase(), thief.slice(2).toLowerCase())
    await chain.client.setCode({ address: chain.escrow, bytecode: other as Hex })
    expect(await codesOf({ build })).to.include('escrow/wrong-token')
  })
})

describe('an audit of what left the contract', () => {
  it('takes the rescue of another token for no explanation', () => {
    const account = (digit: string): Address => getAddress(padHex(`0x${digit}`, { size: 20 }))
    const [escrow, token, other, to] = [account('1'), account('2'), account('3'), account('4')]
    const place = { txHash: padHex('0x5', { size: 32 }), blockNumber: 1n, logIndex: 1 }
    const outflow: Transfer = { ...place, from: escrow, to, amountMicros: 20n, authorizationNonce: null }
    const rescued = (what: Address) =>
      ({ ...place, eventName: 'Rescued', args: { token: what, to, amount: 20n } }) as EscrowEvent
    const codesOf = (what: Address) =>
      auditOutflows({ escrowEvents: [rescued(what)], transfers: [outflow] }, { escrow, token }).map(({ code }) => code)
    expect(codesOf(token)).to.deep.equal([])
    expect(codesOf(other)).to.deep.equal(['escrow/unexplained-outflow'])
  })
})
