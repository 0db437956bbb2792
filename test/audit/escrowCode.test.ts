import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { matchCode } from '../../audit/escrowCode.ts'
import { readEscrowBuild } from '../../cli/user/audit/escrowBuild.ts'

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
