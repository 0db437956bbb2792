import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { eventTypes } from '../../../../api/platform/events/catalogue.ts'
import { matchesSubject, patternsOf, subjectSchema, subjectsQuery } from '../../../../api/platform/events/subjects.ts'
import { workspaceTypes } from '../../../../api/platform/events/workspaceTypes.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
const type = fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join('.'))
const marketType = fc.constantFrom(...Object.keys(eventTypes).filter((name) => !(name in workspaceTypes)))

describe('the patterns of event types', () => {
  it('match a type by its name, by its domain and by *', () => {
    fc.assert(
      fc.property(marketType, (eventType) => {
        const domain = `${eventType.split('.')[0]}.*`
        for (const pattern of [eventType, domain, '*']) {
          expect(subjectSchema.safeParse(pattern).success, pattern).to.equal(true)
          expect(matchesSubject([pattern], eventType), pattern).to.equal(true)
        }
      }),
    )
  })

  it('match no other type', () => {
    fc.assert(
      fc.property(type, type, (one, other) => {
        fc.pre(one !== other)
        expect(matchesSubject([one], other)).to.equal(false)
        const isSameDomain = one.split('.')[0] === other.split('.')[0]
        expect(matchesSubject([`${one.split('.')[0]}.*`], other)).to.equal(isSameDomain)
      }),
    )
  })

  it('that match a type are three, which a query can look for', () => {
    expect(patternsOf('webhook.subscription.paused')).to.deep.equal(['*', 'webhook.*', 'webhook.subscription.paused'])
  })

  it('tell domains apart that begin alike', () => {
    expect(matchesSubject(['order.*'], 'orders.placed')).to.equal(false)
    expect(matchesSubject(['webhook.*'], 'webhook.subscription.paused')).to.equal(true)
  })

  it('are refused where they are anything else', () => {
    const wrong = ['', 'order', 'order.', '.placed', '*.placed', 'order*', 'or*.placed', 'order.pl*', 'order.*.x', '**']
    const odd = ['order.**', 'Order.placed', 'order.placed ', 'order..placed', '*.*', 'order.placed.*', 'a.'.repeat(60)]
    for (const pattern of [...wrong, ...odd]) {
      expect(subjectSchema.safeParse(pattern).success, pattern).to.equal(false)
      expect(subjectsQuery.safeParse(`order.placed,${pattern}`).success, pattern).to.equal(false)
    }
  })

  it('are a list in a query, which without them means every type', () => {
    expect(subjectsQuery.parse('order.*,message.inserted')).to.deep.equal(['order.*', 'message.inserted'])
    expect(subjectsQuery.parse(undefined)).to.deep.equal(['*'])
    expect(subjectsQuery.safeParse(Array(101).fill('*').join(',')).success).to.equal(false)
  })
})
