import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type GasFigures, measureGas } from '../../bench/gas/measure.ts'
import { differences, readSnapshot } from '../../bench/gas/snapshot.ts'

describe('the gas of whole transactions on real USDC', () => {
  let figures: GasFigures

  before(async () => {
    figures = await measureGas()
  })

  it('is what was written down', async () => {
    const changed = differences(await readSnapshot(), figures)
    const advice = 'If that is meant: ./market bench gas --update'
    expect(changed, `\n${[...changed, advice].join('\n')}\n`).to.deep.equal([])
  })

  it('names what rose, what fell and what is new', () => {
    const changed = differences({ fund: 10, withdraw: 10, gone: 1 }, { fund: 12, withdraw: 9, added: 2 })
    expect(changed).to.deep.equal([
      'fund: 10 → 12 (+2)',
      'withdraw: 10 → 9 (-1)',
      'gone: 1 → not measured',
      'added: not measured → 2',
    ])
  })
})
