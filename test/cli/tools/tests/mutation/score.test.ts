import { describe, it } from 'node:test'
import { expect } from 'chai'
import { arguedIn } from '../../../../../cli/tools/tests/mutation/internal/argued.ts'
import { report } from '../../../../../cli/tools/tests/mutation/internal/report.ts'
import { type Mutant, type Outcome, scoreOf } from '../../../../../cli/tools/tests/mutation/internal/score.ts'

const judged = (key: string, outcome: Outcome) => {
  const mutant: Mutant = {
    ...{ key, path: 'audit/holds.ts', line: 7, operator: 'signs' },
    ...{ before: '    a < b', after: '    a <= b' },
  }
  return { mutant, outcome }
}
const killed: Outcome = { kind: 'killed', by: 'holdsThePayment' }

describe('a mutation score', () => {
  it('is the share of killed among all that could be', () => {
    const run = [
      judged('a', killed),
      judged('b', killed),
      judged('c', { kind: 'killed', by: 'the timeout' }),
      judged('d', { kind: 'survived' }),
      judged('e', { kind: 'survived' }),
      judged('g', { kind: 'stillborn' }),
    ]
    const score = scoreOf(run, ['e'])
    expect(score.percent).to.equal(75)
    expect(score.survivors.map(({ key }) => key)).to.deep.equal(['d'])
    expect(score.argued.map(({ key }) => key)).to.deep.equal(['e'])
    expect(score.timeouts.map(({ mutant }) => mutant.key)).to.deep.equal(['c'])
    expect(score.stillborn).to.equal(1)
    expect(score.stale).to.deep.equal([])
  })

  it('is of no use where an argument no longer holds: its mutant was killed, or is gone', () => {
    const score = scoreOf([judged('a', killed), judged('b', { kind: 'stillborn' })], ['a', 'b', 'gone'])
    expect(score.stale).to.deep.equal(['a', 'b', 'gone'])
  })

  it('shows each survivor with its place and its change', () => {
    const text = report('audit', scoreOf([judged('audit/holds.ts: `<` → `<=`', { kind: 'survived' })], []), 85)
    expect(text).to.contain('audit/holds.ts:7 (signs) audit/holds.ts: `<` → `<=`\n  -     a < b\n  +     a <= b')
    expect(text).to.contain('Mutation score of audit 0.0%, goal 85%')
  })

  it('takes an argument from its page only with a reason', () => {
    const page = [
      '- Escrow.fund: `a < b` → `a <= b`: they are never the same.',
      '- Escrow.fund: `a` → ``  (2)',
      '- Escrow.fund: `c` → `d` (2):',
      '  since both are zero.',
      '- Escrow.fund: `e` → `f`:',
    ].join('\n')
    expect(arguedIn(page)).to.deep.equal(['Escrow.fund: `a < b` → `a <= b`', 'Escrow.fund: `c` → `d` (2)'])
  })
})
