import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { findTests } from '../../../../cli/tools/tests/tiers.ts'

describe('the tiers of tests', () => {
  it('hold every test once: `test` and `test system` together', async () => {
    const all = await Array.fromAsync(glob('test/**/*.test.ts', { cwd: ROOT }))
    const [usual, system] = [await findTests([]), await findTests(['system'])]
    expect([...usual.files, ...system.files]).to.have.members(all)
    expect([usual.solidity, system.solidity]).to.deep.equal([true, false])
  })

  it('have whole trades on real processes in the one for every change', async () => {
    expect((await findTests([])).files).to.include('test/e2e/market.test.ts')
  })

  it('have in a deep run the contract and every test that generates more input for it', async () => {
    const all = await Array.fromAsync(glob('test/**/*.test.ts', { cwd: ROOT }))
    const isGenerating = (file: string) => /process\.env\.MARKET_TEST_DEEP/.test(readFileSync(ROOT + file, 'utf8'))
    const { solidity, files } = await findTests([], { isDeep: true })
    expect(solidity).to.equal(true)
    expect(files).to.include.members(all.filter(isGenerating))
  })

  it('can be asked for an area, in whichever tier it is, or a file', async () => {
    expect((await findTests(['system/facilitator', 'e2e/market.test.ts'])).files.toSorted()).to.deep.equal([
      'test/e2e/market.test.ts',
      'test/system/facilitator/crashes.test.ts',
      'test/system/facilitator/databaseLoss.test.ts',
      'test/system/facilitator/standby.test.ts',
    ])
  })

  it('refuse a name that does not exist, and list those that do', async () => {
    const error = await findTests(['fault']).catch((thrown) => thrown)
    expect(error.message).to.match(/no tests called fault\. Areas: .*contracts.*system/)
  })
})
