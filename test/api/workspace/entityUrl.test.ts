import { describe, it } from 'node:test'
import { expect } from 'chai'
import { eventTypes } from '../../../api/modules.ts'
import { entityPath } from '../../../api/workspace/schemas.ts'
import { PATHS } from '../../../console/routing/paths.ts'

const id = '0197a3c2-6c1e-7b55-9c0f-3f1f3f1f3f1f'
// What events are about, and notifications and what search finds.
const ofEvents = Object.values(eventTypes).flatMap(({ name, isOfOrg }) => (isOfOrg ? [name.split('.')[0] ?? ''] : []))
const types = new Set([...ofEvents, 'entry', 'human', 'org', 'webhook', 'confirmation'])

describe('The address of a thing of the workspace', () => {
  it('is a page of the console, whatever the thing is', () => {
    for (const type of types) {
      const path = entityPath('works', { type, id, short_id: null, page_id: id })
      const patterns = Object.values(PATHS).map(
        (pattern) => new RegExp(`^/console${pattern.replaceAll(/:\w+/g, '[^/#]+')}(#.*)?$`),
      )
      expect(
        patterns.some((pattern) => pattern.test(path)),
        path,
      ).to.equal(true)
    }
  })

  it('names a thing by its short id, and a comment or an entry where it stands', () => {
    const short_id = 'k3v09x2m7q'
    expect(entityPath('works', { type: 'page', id, short_id })).to.equal('/console/orgs/works/pages/k3v09x2m7q')
    expect(entityPath('works', { type: 'comment', id, short_id, task_id: id })).to.equal(
      `/console/orgs/works/tasks/${id}#comment-k3v09x2m7q`,
    )
    expect(entityPath('works', { type: 'entry', id, short_id, page_id: id })).to.equal(
      `/console/orgs/works/pages/${id}#entry-k3v09x2m7q`,
    )
    expect(entityPath('works', { type: 'comment', id, short_id })).to.equal('/console/orgs/works/comments/k3v09x2m7q')
    expect(entityPath('works', { type: 'confirmation', id, short_id: null })).to.equal(
      '/console/orgs/works/notifications',
    )
  })
})
