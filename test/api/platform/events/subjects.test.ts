import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { eventTypes } from '../../../../api/modules.ts'
import {
  matchesSubject,
  namesOrgTypes,
  requireKnown,
  requireOfMarket,
  subjectSchema,
  subjectsQuery,
} from '../../../../api/platform/events/subjects.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
const type = fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join('.'))
const namesOf = (isOrgs: boolean) =>
  Object.values(eventTypes).flatMap(({ name, isOfOrg = false }) => (isOfOrg === isOrgs ? [name] : []))
const marketType = fc.constantFrom(...namesOf(false))
const orgType = fc.constantFrom(...namesOf(true))

describe('the patterns of event types', () => {
  it('match a type by its name, by its domain and by * [spec 4.3:1 4.3:2]', () => {
    fc.assert(
      fc.property(marketType, (eventType) => {
        const domain = `${eventType.split('.')[0]}.*`
        for (const pattern of [eventType, domain, '*']) {
          expect(subjectSchema.safeParse(pattern).success, pattern).to.equal(true)
          expect(matchesSubject([pattern], { name: eventType }), pattern).to.equal(true)
          expect(() => requireOfMarket(eventTypes, [pattern]), pattern).not.to.throw()
        }
      }),
    )
  })

  it('match a type of orgs by its name and its domain alone', () => {
    fc.assert(
      fc.property(orgType, (name) => {
        for (const pattern of [name, `${name.split('.')[0]}.*`]) {
          expect(matchesSubject([pattern], { name, isOfOrg: true }), pattern).to.equal(true)
          expect(namesOrgTypes(eventTypes, [pattern]), pattern).to.equal(true)
          expect(() => requireKnown(eventTypes, [pattern]), pattern).not.to.throw()
          expect(() => requireOfMarket(eventTypes, [pattern]), pattern).to.throw(
            'webhooks of that org alone: create one there',
          )
        }
        expect(matchesSubject(['*'], { name, isOfOrg: true })).to.equal(false)
      }),
    )
    expect(namesOrgTypes(eventTypes, ['*', 'order.*', 'webhook.dead_letter'])).to.equal(false)
  })

  it('must match a type that there is', () => {
    for (const pattern of ['order.*', '*', 'webhook.test'])
      expect(() => requireKnown(eventTypes, ['*', pattern]), pattern).not.to.throw()
    for (const pattern of ['orders.*', 'order.lost', 'webhook.tests'])
      for (const require of [requireKnown, requireOfMarket])
        expect(() => require(eventTypes, ['*', pattern]), pattern).to.throw('a type or a domain that there is')
  })

  it('match no other type', () => {
    fc.assert(
      fc.property(type, type, (one, other) => {
        fc.pre(one !== other)
        expect(matchesSubject([one], { name: other })).to.equal(false)
        const isSameDomain = one.split('.')[0] === other.split('.')[0]
        expect(matchesSubject([`${one.split('.')[0]}.*`], { name: other })).to.equal(isSameDomain)
      }),
    )
  })

  it('tell domains apart that begin alike [spec 4.3:2]', () => {
    expect(matchesSubject(['order.*'], { name: 'orders.placed' })).to.equal(false)
    expect(matchesSubject(['webhook.*'], { name: 'webhook.subscription.paused' })).to.equal(true)
  })

  it('are refused where they are anything else [spec 4.3:3]', () => {
    const wrong = ['', 'order', 'order.', '.placed', '*.placed', 'order*', 'or*.placed', 'order.pl*', 'order.*.x', '**']
    const odd = ['order.**', 'Order.placed', 'order.placed ', 'order..placed', '*.*', 'order.placed.*', 'a.'.repeat(60)]
    for (const pattern of [...wrong, ...odd]) {
      expect(subjectSchema.safeParse(pattern).success, pattern).to.equal(false)
      expect(subjectsQuery.safeParse(`order.placed,${pattern}`).success, pattern).to.equal(false)
    }
  })

  it('are a list in a query, which without them means every type [spec 4:41]', () => {
    expect(subjectsQuery.parse('order.*,message.inserted')).to.deep.equal(['order.*', 'message.inserted'])
    expect(subjectsQuery.parse(undefined)).to.deep.equal(['*'])
    expect(subjectsQuery.safeParse(Array(101).fill('*').join(',')).success).to.equal(false)
  })
})
