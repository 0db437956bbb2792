import { describe, it } from 'node:test'
import { expect } from 'chai'
import { groupByThing } from '../../console/pages/work/notifications/internal/groups.ts'

describe('an inbox', () => {
  it('puts notifications together that are about the same thing, in the order of the newest', () => {
    const about = (id: string, entity_type: string, entity_id: string, read_at: string | null = null) => ({
      ...{ id, entity_type, entity_id, read_at },
    })
    const groups = groupByThing([
      about('5', 'order', 'a'),
      about('4', 'order', 'b', '2026-05-17T10:00:00Z'),
      about('3', 'page', 'a'),
      about('2', 'order', 'a', '2026-05-17T10:00:00Z'),
      about('1', 'order', 'a'),
      { ...about('0', 'page', 'a'), confirmation: {} },
    ])
    expect(groups.map(({ newest, earlier, unread }) => [newest.id, earlier.map(({ id }) => id), unread])).to.deep.equal(
      [
        ['5', ['2', '1'], ['5', '1']],
        ['4', [], []],
        ['3', [], ['3']],
        ['0', [], ['0']],
      ],
    )
  })
})
