import { it } from 'node:test'
import { expect } from 'chai'
import { Follower } from '../../../../api/platform/events/internal/follower.ts'
import type { LoggedEvent } from '../../../../api/platform/events/log.ts'

const MAX_WAITING = 1_000

it('A follower that is offered more events than may wait while it catches up is sent each of them, once', async () => {
  const event = (number: number): LoggedEvent => ({
    place: BigInt(number),
    visibleTo: ['me'],
    envelope: { event_type: 'order.funded', number } as unknown as LoggedEvent['envelope'],
  })
  const log = Array.from({ length: MAX_WAITING + 1 }, (_, index) => event(index + 1))
  const sent: unknown[] = []
  const follower = new Follower({
    ...{ from: 0n, end: 0n, epoch: 'one', actor: {} as never, filter: { accounts: ['me'], orgs: [], subjects: ['*'] } },
    sink: { closed: new AbortController().signal, ready: async () => {}, send: () => {} } as never,
    onSent: (envelope) => sent.push(envelope),
  })
  let looks = 0
  await follower.catchUp(async (_filter, after) => {
    const events = ++looks === 1 ? [] : log.filter(({ place }) => place > after)
    // All of them come while the first part is read, which had none of them yet.
    if (looks === 1) for (const each of log) follower.offer(each)
    return { epoch: 'one', events, end: events.at(-1)?.place ?? after, hasMore: false }
  })
  expect(sent).to.deep.equal(log.map(({ envelope }) => envelope))
})
