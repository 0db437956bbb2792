import { glob } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../../cli/paths.ts'
import { findTests } from '../../../cli/tests/find.ts'

describe('the tests that are run', () => {
  it('are all of them, once each, by a run without names and a run of the rest', async () => {
    const all = await Array.fromAsync(glob('test/**/*.test.ts', { cwd: ROOT }))
    const [unnamed, rest] = [await findTests([]), await findTests(['rest'])]
    expect([...unnamed.files, ...rest.files]).to.have.members(all)
    expect([unnamed.solidity, rest.solidity]).to.deep.equal([true, false])
  })

  it('trade, are attacked and are killed on the real processes where none is named', async () => {
    const { files } = await findTests([])
    expect(files).to.include.members(['market', 'attacks', 'crash'].map((name) => `test/e2e/${name}.test.ts`))
  })

  it('are those of an area, whichever run it belongs to, or of a file', async () => {
    expect((await findTests(['faults', 'e2e/market.test.ts'])).files.toSorted()).to.deep.equal([
      'test/e2e/market.test.ts',
      'test/faults/crashInTheAct.test.ts',
      'test/faults/restore.test.ts',
    ])
  })

  it('are not guessed at: a name that is none is told, with those that are', async () => {
    const error = await findTests(['fault']).catch((thrown) => thrown)
    expect(error.message).to.match(/no tests called fault\. Areas: .*faults.*; rest\./)
  })
})
