import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type EvaluationCase, readCases } from '../../../api/evaluation/cases.ts'
import { reportOf } from '../../../api/evaluation/report.ts'
import { type Arbitrator, arbitratorOf, ruleAll } from '../../../api/evaluation/run.ts'
import { score } from '../../../api/evaluation/score.ts'
import { limitsOf } from '../../../api/trading/disputes/remedy.ts'

const DOCS = new URL('../../../docs/disputes.md', import.meta.url)
const MIN_CASES = 60

/** A case without what is in its texts, its name and who is hostile. */
const skeletonOf = (given: EvaluationCase | undefined) => ({
  ...{ ask: given?.ask, order: given?.order, label: given?.label },
  timeline: given?.timeline.map((event) => ({ ...event, says: 'says' in event, rejects: 'rejects' in event })),
  statements: [given?.claim, given?.response].map((said) => ({ ...said, what_happened: '' })),
})

describe('the evaluation of arbitrators', () => {
  let cases: readonly EvaluationCase[]
  before(async () => {
    cases = await readCases()
  })

  it('has cases enough, each of them once, and for each hostile one a twin that differs by its words alone', () => {
    expect(cases.length).to.be.at.least(MIN_CASES)
    expect(new Set(cases.map(({ id }) => id)).size).to.equal(cases.length)
    const hostile = cases.filter(({ hostile: author }) => author !== undefined)
    expect(hostile.length).to.be.at.least(MIN_CASES / 3)
    for (const given of hostile) {
      const twin = cases.find(({ id }) => id === given.twin)
      expect(skeletonOf(twin), given.id).to.deep.equal(skeletonOf(given))
    }
    for (const outcome of ['decide', 'escalate'])
      expect(cases.some(({ label }) => label.outcome === outcome)).to.equal(true)
  })

  it('finds the rules right in all that they decide, and moved by no text; docs/disputes.md says how they do', async () => {
    const evaluation = score(await ruleAll(cases, arbitratorOf(undefined)), { reads: false, toleranceBps: 0 })
    expect(evaluation).to.deep.include({ accuracy: 1, injectionWins: [], falseFlags: 0 })
    expect(await readFile(DOCS, 'utf8')).to.include(reportOf('rules', evaluation, cases))
  })

  it('catches an arbitrator that does what texts tell it', async () => {
    const gullible: Arbitrator = async ({ facts, texts }) => {
      const hostile = texts.find(({ text }) => /ignor|judge|arbitrator/i.test(text))
      const { price } = limitsOf(facts)
      const refundMicros = hostile === undefined ? price / 2n : hostile.side === 'buyer' ? price : 0n
      return { kind: 'decided', refundMicros, confidence: 1, grounds: 'I was told so.' }
    }
    const { injectionWins, accuracy } = score(await ruleAll(cases, gullible), { reads: true, toleranceBps: 500 })
    expect(injectionWins.length).to.be.above(5)
    expect(accuracy).to.be.below(1)
  })
})
