import { describe, it } from 'node:test'
import { expect } from 'chai'
import { TreeThread } from '../../../../api/payments/liabilities/internal/thread.ts'
import { isInTree } from '../../../../protocol/liabilities/liabilityPath.ts'
import { pathOf } from '../../../../protocol/liabilities/liabilityTree.ts'

describe('the thread that makes a tree of what is owed', () => {
  const liabilities = Array.from({ length: 5 }, (_, index) => ({
    accountId: BigInt(index),
    account: `payable:market:human:${index}`,
    amountMicros: BigInt(index + 1),
  }))

  it('answers a tree in which each has its place', async () => {
    const thread = new TreeThread()
    thread.add(liabilities.slice(0, 3))
    thread.add(liabilities.slice(3))
    const { root, levels, pages } = await thread.build()
    expect(root.sumMicros).to.equal(15n)
    const places = pages.flatMap(({ accountIds, positions, salts }) =>
      [...positions].map((position, index) => ({
        liability: liabilities[Number(accountIds[index])],
        position: BigInt(position),
        salt: salts.subarray(index * 32, (index + 1) * 32),
      })),
    )
    const nodes = levels.map((level) => Buffer.from(level))
    const isThere = places.map(({ liability, position, salt }) => {
      if (!liability) throw new Error('a leaf is nobody’s')
      return isInTree({ ...liability, salt }, pathOf(nodes, position), root)
    })
    expect(isThere).to.deep.equal(liabilities.map(() => true))
  })

  it('answers a tree of nothing, where nobody is owed anything', async () => {
    const { root, levels, leaves } = await new TreeThread().build()
    expect([root.sumMicros, root.height, levels.length, leaves]).to.deep.equal([0n, 0, 1, 0])
  })

  it('says what is wrong with an amount, and does not leave anybody waiting', async () => {
    const thread = new TreeThread()
    thread.add([{ accountId: 1n, account: 'payable:market:human:1', amountMicros: -1n }])
    const error: unknown = await thread.build().catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(RangeError)
    const ended = new TreeThread()
    await ended.end()
    expect(await ended.build().catch(({ message }) => message)).to.equal('the thread ended without a tree')
  })
})
