import { describe, it } from 'node:test'
import { expect } from 'chai'
import { askAll } from '../../../protocol/rpc/askAll.ts'

describe('questions about each of many', () => {
  const many = Array.from({ length: 45 }, (_, index) => index)

  it('are answered in the order of what they are about, a batch under way at a time', async () => {
    let [underWay, most] = [0, 0]
    const answers = await askAll(many, async (item) => {
      most = Math.max(most, ++underWay)
      // The later of a batch are answered first.
      for (let turn = item % 20; turn < 20; turn++) await undefined
      underWay--
      return item * 2
    })
    expect(answers).to.deep.equal(many.map((item) => item * 2))
    expect(most).to.equal(20)
  })

  it('end with the first that fails, and no further batch is asked', async () => {
    const asked: number[] = []
    const error = await askAll(many, async (item) => {
      asked.push(item)
      if (item === 7) throw new Error('the node is away')
    }).catch((error: unknown) => error)
    expect(error).to.have.property('message', 'the node is away')
    expect(asked).to.deep.equal(many.slice(0, 20))
  })
})
