import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Account } from '../../kit/api/identity/accounts/owners.ts'
import { bearer, openEventSource, openSocket } from '../../kit/api/platform/events/receivers.ts'
import { startWorkspace, type Workspace } from '../../kit/api/workspace/world.ts'

interface Seen {
  event_id: string
  event_type: string
  payload: { org_id?: string; entity_id?: string }
}

describe('events of the workspace', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const poll = async (by: Account, query: string): Promise<Seen[]> => {
    const { status, body } = await world.api.send('GET', `/v1/events?limit=100${query}`, { token: by.token })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.events as Seen[]
  }
  const typesIn = (events: readonly Seen[]) => [...new Set(events.map(({ event_type }) => event_type))]
  const move = (to: Account, from: Account) =>
    sql`update market.org_members set human_id = ${to.id} where human_id = ${from.id}`.execute(world.api.db)

  it('are read by the members of their org and their agents, where they are asked for by name', async () => {
    const made = await world.attach(await world.newPage(), 'one')
    for (const by of [world.ada, world.agent]) {
      const events = await poll(by, '&subjects=attachment.*')
      expect(events.at(-1)).to.deep.include({ event_type: 'attachment.created' })
      expect(events.at(-1)?.payload.entity_id).to.equal(made.id)
      expect(typesIn(await poll(by, '&subjects=page.created,space.*'))).to.have.members([
        'page.created',
        'space.created',
      ])
      const [first, ...others] = events
      const behind = await poll(by, `&subjects=attachment.*&cursor=${first?.event_id}`)
      expect(behind).to.deep.equal(others)
    }
    expect(await poll(world.stranger, '&subjects=attachment.*,page.*')).to.deep.equal([])
  })

  it('are not among everything, which is what happens on the market', async () => {
    await world.attach(await world.newPage(), 'two')
    for (const query of ['', '&subjects=*']) {
      const events = await poll(world.ada, query)
      expect(events.filter(({ payload }) => payload.org_id !== undefined)).to.deep.equal([])
    }
    const named = await poll(world.ada, '&subjects=*,attachment.created')
    expect(typesIn(named.filter(({ payload }) => payload.org_id !== undefined))).to.deep.equal(['attachment.created'])
  })

  it('come as they happen, and end for who is put out of the org', async () => {
    const query = '?subjects=attachment.*,*'
    const { source, inbox } = await openEventSource(world.api.baseUrl, world.ada.token, query)
    const { socket, inbox: all } = await openSocket(world.api.baseUrl, [bearer(world.ada.token)], query)
    const ended = new Promise((resolve) => source.addEventListener('error', resolve, { once: true }))
    await world.attach(await world.newPage(), 'three')
    const [event] = await inbox.until(({ length }) => length === 1)
    expect(event?.event_type).to.equal('attachment.created')
    // The event of the new page came before it, and `*` does not ask for it.
    const [first] = await all.until(({ length }) => length > 0)
    expect(first?.event_type).to.equal('attachment.created')
    socket.close()
    await move(world.stranger, world.ada)
    try {
      await ended
    } finally {
      source.close()
      await move(world.ada, world.stranger)
    }
  })
})
