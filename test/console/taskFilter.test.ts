import { describe, it } from 'node:test'
import { expect } from 'chai'
import { filterOf, matches } from '../../console/pages/work/tasks/internal/filter.ts'
import type { Task } from '../../console/pages/work/tasks/internal/taskItem.ts'

describe('the tasks that are overdue', () => {
  const isShown = (state: Task['state'], due_on: string | null) =>
    matches({ state, due_on, labels: [] as string[] } as Task, filterOf(new URLSearchParams({ due: 'overdue' })), '')

  it('are those past their day that are still to be done', () => {
    expect(isShown('open', '2020-01-01')).to.equal(true)
    expect(isShown('approved', '2020-01-01')).to.equal(false)
    expect(isShown('open', '2999-01-01')).to.equal(false)
    expect(isShown('open', null)).to.equal(false)
  })
})
