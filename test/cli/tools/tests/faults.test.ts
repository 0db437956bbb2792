import { describe, it } from 'node:test'
import { expect } from 'chai'
import { Misuse } from '../../../../cli/terminal/options.ts'
import { runFaultTests } from '../../../../cli/tools/tests/faults.ts'
import { seeded } from '../../../faults/random.ts'
import { tableOf } from '../../../faults/table.ts'

describe('the tests of faults', () => {
  it('refuse what they do not know, before anything is started', async () => {
    for (const args of [
      ['--minutes', '-1'],
      ['--minutes', 'five'],
      ['--seed', '1.5'],
      ['--seed', ''],
      ['postgres'],
      ['--all'],
    ])
      expect(await runFaultTests(args).catch((error: unknown) => error)).to.be.instanceOf(Misuse)
  })

  it('take the same faults in the same order for the same seed', () => {
    const names = Array.from({ length: 30 }, (_, index) => index)
    const order = (seed: number) => seeded(seed).shuffled(names)
    expect(order(7)).to.deep.equal(order(7)).and.have.members(names)
    expect(order(7)).not.to.deep.equal(order(8))
  })

  it('say of each fault the least, the median and the greatest time of recovery, and where there was none', () => {
    const outcome = (tradeSeconds?: number) => ({
      ...{ name: 'sessions terminated', victim: 'all', trades: 2, violations: [] },
      ...(tradeSeconds === undefined ? {} : { readySeconds: 1, tradeSeconds }),
    })
    const [, row] = tableOf([outcome(9), outcome(3), outcome(5.04)]).split('\n')
    expect(row).to.match(/^sessions terminated +3 +1\.0 \/ 1\.0 \/ 1\.0 +3\.0 \/ 5\.0 \/ 9\.0 +6$/)
    expect(tableOf([outcome()])).to.contain('never')
  })
})
