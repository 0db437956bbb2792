import { it } from 'node:test'
import { expect } from 'chai'
import { eventTypes } from '../../api/modules.ts'
import { matchesSubject, requireKnown } from '../../api/platform/events/subjects.ts'
import { changedBy, SUBJECTS } from '../../console/data/internal/changed.ts'

it('The console follows every type of event, and reads again what an event of an org has changed', () => {
  requireKnown(eventTypes, SUBJECTS)
  const types = Object.values(eventTypes)
  expect(types.filter((type) => !matchesSubject(SUBJECTS, type))).to.deep.equal([])
  const always = changedBy([])
  const idle = types.filter(({ isOfOrg, name }) => isOfOrg && changedBy([name]).size === always.size)
  expect(idle, 'types after which nothing is read').to.deep.equal([])
  expect([...changedBy(['space.deleted'])], 'the tree of pages has no space that is gone').to.include('listPages')
})
