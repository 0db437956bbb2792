import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Address, Hex } from 'viem'
import { auditEscrowCode, matchCode } from '../../audit/escrowCode.ts'
import { readEscrowBuild } from '../../cli/user/audit/escrowBuild.ts'
import { checkChain } from '../../facilitator/preflight.ts'
import { deployFormerEscrow } from '../kit/chain/formerEscrow.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import { roleAccount } from '../kit/chain/payments.ts'

describe('how far a contract’s code is that of a build', async () => {
  const build = await readEscrowBuild()
  const changed = (at: number) => {
    const bytes = Buffer.from(build.deployedBytecode.slice(2), 'hex')
    const index = at < 0 ? bytes.length + at : at
    bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
    return `0x${bytes.toString('hex')}` as Hex
  }

  it('is exactly, whatever the constructor wrote into it', () => {
    const [immutable] = Object.values(build.immutableReferences).flat()
    expect(matchCode(build.deployedBytecode, build)).to.equal('exact')
    expect(matchCode(changed(immutable?.start ?? -1), build)).to.equal('exact')
  })

  it('is in what runs, where the hash of the sources at the end is another', () => {
    expect(matchCode(changed(-20), build)).to.equal('code')
    // Nor is it believed how long that is.
    expect(matchCode(changed(-2), build)).to.equal('code')
  })

  it('is not, where one bit that can run is another, or there is nothing', () => {
    const metadataBytes = Number.parseInt(build.deployedBytecode.slice(-4), 16) + 2
    for (const at of [0, -metadataBytes - 1]) expect(matchCode(changed(at), build)).to.equal('none')
    for (const code of ['0x', '0x0000', `${build.deployedBytecode}00`] as Hex[])
      expect(matchCode(code, build)).to.equal('none')
  })
})

describe('an escrow of 1.0.0-rc.1', () => {
  let chain: TestChain
  let escrow: Address

  before(async () => {
    chain = await startChain()
    escrow = await deployFormerEscrow(chain)
  })
  after(() => chain.stop())

  it('is accepted by the facilitator', async () => {
    const at = { ...chain, escrow, hotWallet: chain.accounts.hotWallet.address }
    const domain = await checkChain(chain.client as never, at, { resolver: roleAccount(chain, 'resolver').address })
    expect(domain.chainId).to.equal(chain.chainId)
  })

  it('is known to an audit, unless one byte of its code is another', async () => {
    const findings = async () => {
      const at = { ...chain, escrow, hotWallet: chain.accounts.hotWallet.address, fromBlock: 0n }
      const target = { ...at, toBlock: await chain.client.getBlockNumber() }
      const found = await auditEscrowCode(chain.client as never, target, await readEscrowBuild())
      return found.map(({ code }) => code)
    }
    expect(await findings()).to.deep.equal([])
    const code = await chain.client.getCode({ address: escrow })
    await chain.client.setCode({ address: escrow, bytecode: `${code?.slice(0, -2)}ff` as Hex })
    await chain.client.mine({ blocks: 1 })
    expect(await findings()).to.deep.equal(['escrow/code-differs'])
  })
})
