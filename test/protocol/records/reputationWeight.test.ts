import { describe, it } from 'node:test'
import { expect } from 'chai'
import { composite, ratio } from '../../../protocol/records/reputation.ts'
import { reputationWeight } from '../../../protocol/records/reputationWeight.ts'

describe('the weight of an order in reputation', () => {
  it('is log(1 + cost) in millionths', () => {
    const costs = [0n, 100_000n, 1_000_000n, 100_000_000n, 10_000_000_000n]
    expect(costs.map(reputationWeight)).to.deep.equal([0n, 95_310n, 693_147n, 4_615_120n, 9_210_440n])
  })

  it('never falls as the cost rises, and is within two millionths of the logarithm', () => {
    let last = -1n
    for (let cost = 0n; cost < 10n ** 16n; cost = cost * 2n + 1n) {
      const weight = reputationWeight(cost)
      expect(weight >= last).to.equal(true)
      expect(Math.abs(Number(weight) - Math.log1p(Number(cost) / 1e6) * 1e6)).to.be.lessThan(2)
      last = weight
    }
  })

  it('makes a composite score from the published six digits', () => {
    expect(ratio(9n, 2n)).to.equal(4_500_000n)
    expect(ratio(1n, 0n)).to.equal(0n)
    expect(composite(4_500_000n, 100_000n, 9_000n)).to.equal(4_095_000n)
  })
})
