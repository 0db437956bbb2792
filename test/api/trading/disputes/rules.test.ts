import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import type { CheckResult } from '../../../../api/trading/criteria/results.ts'
import type { DisputeFacts } from '../../../../api/trading/disputes/facts/disputeFacts.ts'
import { remedyOf, winnerOf } from '../../../../api/trading/disputes/facts/remedy.ts'
import { decideByDefault, decideByRules } from '../../../../api/trading/disputes/facts/rules.ts'
import { GROUNDS } from '../../../../api/trading/disputes/record/grounds.ts'
import type { Party } from '../../../../api/trading/orders/record/find.ts'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { splitHold } from '../../../../protocol/payments/split.ts'

const DUE = Date.parse('2026-06-08T12:00:00Z')
const DAY = 86_400
const SLA = 7 * DAY

const deliveryOf = (changes: Partial<DisputeFacts['deliveries'][number]> = {}) => ({
  number: 1,
  message_urn: 'market:message:01890000-0000-7000-8000-000000000000',
  output_hash: 'ab'.repeat(32),
  delivered_at: new Date(DUE - 1000).toISOString(),
  due_at: new Date(DUE).toISOString(),
  has_bytes: true,
  is_blank: false,
  is_repeated: false,
  checks: [],
  ...changes,
})
const late = (seconds: number) => deliveryOf({ delivered_at: new Date(DUE + seconds * 1000).toISOString() })
/** A message of the buyer that the seller cites against the ground `late`. */
const saidAt = (seconds: number) => ({
  message_urn: 'market:message:01890000-0000-7000-8000-000000000001',
  sent_at: new Date(DUE + seconds * 1000).toISOString(),
})
const factsOf = (changes: Partial<DisputeFacts> = {}): DisputeFacts => ({
  price: '20.000000',
  opener: 'buyer',
  grounds: ['other'],
  requested_refund: null,
  offered_refund: null,
  sla_seconds: SLA,
  criteria: null,
  deliveries: [deliveryOf()],
  rejections: [{ number: 1, rejected_at: new Date(DUE).toISOString(), has_reason: true }],
  changes: [],
  acts_since_rejection: { buyer: 1, seller: 1 },
  ...changes,
})

const CRITERIA = { sha256: 'cd'.repeat(32), is_complete: false, byte_checks: 1, is_deadline_essential: false }
const TYPE: CheckResult = { number: 1, kind: 'media_types', result: 'pass', found: 'image/png' }
const UNITS: CheckResult = { number: 1, kind: 'units', result: 'fail', found: 14, expected: 42 }
/** A delivery in time that was checked. */
const measured = (found: Partial<CheckResult>, changes: Partial<typeof CRITERIA> = {}): Partial<DisputeFacts> => ({
  criteria: { ...CRITERIA, ...changes },
  deliveries: [deliveryOf({ checks: [{ ...TYPE, ...found }] })],
})

/** What the buyer gets back, or why a human must decide. */
const outcome = (changes: Partial<DisputeFacts>) => {
  const decision = decideByRules(factsOf(changes))
  return decision.kind === 'escalated' ? decision.reason : decision.refundMicros
}

describe('the rules', () => {
  const table: [string, Partial<DisputeFacts>, bigint | string][] = [
    ['nothing was delivered', { deliveries: [] }, 20_000_000n],
    ['no bytes arrived', { deliveries: [deliveryOf({ has_bytes: false })] }, 20_000_000n],
    ['the delivery is blank', { deliveries: [deliveryOf({ is_blank: true })] }, 20_000_000n],
    [
      'the second delivery is the rejected one again, which was blank',
      { deliveries: [deliveryOf({ is_blank: true }), deliveryOf({ number: 2, is_repeated: true })] },
      20_000_000n,
    ],
    ['it was delivered, and the buyer says it was not', { grounds: ['not_delivered', 'hash_mismatch'] }, 0n],
    ['the buyer changed its mind', { grounds: ['changed_mind'] }, 0n],
    ['no reason is given', { grounds: [] }, 0n],
    ['it was in time, and the buyer says it was late', { grounds: ['late'] }, 0n],
    ['it was a quarter of an hour late', { grounds: ['late'], deliveries: [late(900)] }, 0n],
    ['it took twice its time', { grounds: ['late'], deliveries: [late(SLA)] }, 10_000_000n],
    ['it took ten times its time', { grounds: ['late'], deliveries: [late(9 * SLA)] }, 10_000_000n],
    ['it was late, which nobody claims', { grounds: ['changed_mind'], deliveries: [late(SLA)] }, 0n],
    [
      'a cure came late after a first delivery in time',
      { grounds: ['late'], deliveries: [deliveryOf(), { ...late(SLA), number: 2 }] },
      0n,
    ],
    [
      'a blank one in time does not stop the clock',
      { grounds: ['late'], deliveries: [deliveryOf({ is_blank: true }), { ...late(SLA), number: 2 }] },
      10_000_000n,
    ],
    ['the seller has done nothing since', { acts_since_rejection: { buyer: 0, seller: 0 } }, 20_000_000n],
    [
      'the seller has done nothing since, and the buyer asks for four',
      { requested_refund: '4.000000', acts_since_rejection: { buyer: 0, seller: 0 } },
      4_000_000n,
    ],
    [
      'the buyer has done nothing since the seller opened, which offers three',
      { opener: 'seller', offered_refund: '3.000000', acts_since_rejection: { buyer: 0, seller: 1 } },
      3_000_000n,
    ],
    [
      'its format is wrong',
      { ...measured({ kind: 'media_types', result: 'fail' }), grounds: ['changed_mind'] },
      20_000_000n,
    ],
    ['its format is right, and the buyer says it is not', { ...measured(TYPE), grounds: ['wrong_format'] }, 0n],
    [
      'nobody could check its format',
      { ...measured({ ...TYPE, result: 'unchecked' }), grounds: ['wrong_format'] },
      'facts_undecided',
    ],
    ['a third of it is there', { ...measured(UNITS), grounds: ['incomplete'] }, 13_334_000n],
    ['a third of it is there, whatever is claimed', { ...measured(UNITS), grounds: ['changed_mind'] }, 13_334_000n],
    [
      'a third of it is there, of the right format, which is disputed',
      {
        criteria: { ...CRITERIA, byte_checks: 2 },
        deliveries: [deliveryOf({ checks: [TYPE, { ...UNITS, number: 2 }] })],
        grounds: ['wrong_format'],
      },
      13_334_000n,
    ],
    [
      'one of two checks of its format could not be made',
      {
        criteria: { ...CRITERIA, byte_checks: 2 },
        deliveries: [deliveryOf({ checks: [TYPE, { ...TYPE, number: 2, result: 'unchecked' }] })],
        grounds: ['wrong_format'],
      },
      'facts_undecided',
    ],
    [
      'a third of it is there, and only its taste is disputed',
      { ...measured(UNITS), grounds: ['quality'] },
      'facts_undecided',
    ],
    [
      'a third of it is there, at twice its time',
      { ...measured(UNITS), grounds: ['incomplete', 'late'], deliveries: [{ ...late(SLA), checks: [UNITS] }] },
      16_668_000n,
    ],
    [
      'all checks of the whole test pass',
      { ...measured(TYPE, { is_complete: true }), grounds: ['quality', 'other'] },
      0n,
    ],
    [
      'a check of the whole test was not made',
      { ...measured(TYPE, { is_complete: true, byte_checks: 2 }), grounds: ['quality'] },
      'facts_undecided',
    ],
    [
      'it was late, and in time is essential',
      { grounds: ['late'], deliveries: [late(1_000_000)], criteria: { ...CRITERIA, is_deadline_essential: true } },
      20_000_000n,
    ],
    [
      'one of the wrong format does not stop the clock',
      {
        grounds: ['late'],
        deliveries: [deliveryOf({ checks: [{ ...TYPE, result: 'fail' }] }), { ...late(SLA), number: 2 }],
      },
      10_000_000n,
    ],
    [
      'it took twice its time, and the seller cites what the buyer wrote before the delivery',
      { grounds: ['late'], deliveries: [late(SLA)], late_citations: [saidAt(SLA - 1)] },
      'delay_contested',
    ],
    [
      'it took twice its time, and the seller cites what the buyer wrote after the delivery',
      { grounds: ['late'], deliveries: [late(SLA)], late_citations: [saidAt(SLA)] },
      10_000_000n,
    ],
    [
      'it took twice its time, and the seller cites what the buyer wrote before a cure',
      {
        grounds: ['late'],
        deliveries: [late(SLA), { ...late(2 * SLA), number: 2 }],
        late_citations: [saidAt(SLA + 1)],
      },
      10_000_000n,
    ],
    ['it was in time, and the seller cites the buyer', { grounds: ['late'], late_citations: [saidAt(-2 * DAY)] }, 0n],
    [
      'nobody claims that it was late, and the seller cites the buyer',
      { ...measured(UNITS), grounds: ['incomplete'], late_citations: [saidAt(-2 * DAY)] },
      13_334_000n,
    ],
    [
      'it was late and blank, and the seller cites the buyer',
      { grounds: ['late'], deliveries: [{ ...late(SLA), is_blank: true }], late_citations: [saidAt(0)] },
      20_000_000n,
    ],
    [
      'in time was essential, and the seller cites what the buyer wrote before the delivery',
      {
        ...{ grounds: ['late'], deliveries: [late(1_000_000)], late_citations: [saidAt(0)] },
        criteria: { ...CRITERIA, is_deadline_essential: true },
      },
      'delay_contested',
    ],
    [
      'it was late and is not good, and the seller cites what the buyer wrote before the delivery',
      { grounds: ['late', 'quality'], deliveries: [late(SLA)], late_citations: [saidAt(0)] },
      'delay_contested',
    ],
    ['only a reader can tell', { grounds: ['quality'] }, 'facts_undecided'],
    ['it is late and not as described', { grounds: ['late', 'not_as_described'] }, 'facts_undecided'],
    [
      'the seller keeps nothing of what it offers',
      { grounds: ['changed_mind'], offered_refund: '5.000000' },
      5_000_000n,
    ],
    ['the buyer gets no more than it asks for', { deliveries: [], requested_refund: '6.000000' }, 6_000_000n],
  ]
  for (const [name, changes, expected] of table) {
    it(`${typeof expected === 'bigint' ? `refund ${formatAmount(expected)}` : 'leave it to a human'}: ${name}`, () => {
      expect(outcome(changes)).to.equal(expected)
    })
  }

  it('never refund less for a longer delay', () => {
    const refund = (seconds: number) => outcome({ grounds: ['late'], deliveries: [late(seconds)] }) as bigint
    fc.assert(
      fc.property(fc.nat(20 * SLA), fc.nat(20 * SLA), (one, other) => {
        const [shorter, longer] = one < other ? [one, other] : [other, one]
        expect(refund(longer) >= refund(shorter)).to.equal(true)
      }),
    )
  })

  it('never refund less for fewer units', () => {
    const refund = (found: number) => outcome({ ...measured({ ...UNITS, found }), grounds: ['incomplete'] }) as bigint
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (one, other) => {
        expect(refund(Math.min(one, other)) >= refund(Math.max(one, other))).to.equal(true)
      }),
    )
  })
})

describe('what is decided', () => {
  it('refunds for the measured delay, although the seller contests it, where no human decides in time', () => {
    const facts = factsOf({ grounds: ['late'], deliveries: [late(SLA)], late_citations: [saidAt(0)] })
    expect(decideByDefault(facts).refundMicros).to.equal(10_000_000n)
  })

  const amounts = fc.bigInt({ min: 1n, max: 10_000_000_000n })
  const facts = fc
    .record({
      price: amounts,
      requested: fc.option(amounts),
      offered: fc.option(amounts),
      opener: fc.constantFrom('buyer' as const, 'seller' as const),
      grounds: fc.uniqueArray(fc.constantFrom(...GROUNDS)),
      seconds: fc.nat(20 * SLA),
      hasBytes: fc.boolean(),
      seller: fc.nat(1),
      buyer: fc.nat(1),
    })
    .map(({ price, requested, offered, opener, grounds, seconds, hasBytes, seller, buyer }) => {
      const upTo = (amount: bigint | null) => (amount === null ? null : formatAmount(amount < price ? amount : price))
      return factsOf({
        price: formatAmount(price),
        ...{ requested_refund: upTo(requested), offered_refund: upTo(offered), opener, grounds },
        deliveries: [{ ...late(seconds), has_bytes: hasBytes }],
        acts_since_rejection: { buyer, seller },
      })
    })

  const expectWhole = (price: bigint, refundMicros: bigint, { feeBps, opener }: { feeBps: number; opener: Party }) => {
    const split = splitHold(price, refundMicros, feeBps)
    expect(split.payerMicros + split.payeeMicros + split.feeMicros).to.equal(price)
    expect(split.feeMicros).to.equal(((price - refundMicros) * BigInt(feeBps)) / 10_000n)
    const remedy = remedyOf(price, refundMicros)
    expect(remedy === 'full_refund').to.equal(refundMicros === price)
    expect(remedy === 'release_to_seller').to.equal(refundMicros === 0n)
    const winner = winnerOf(price, refundMicros, opener)
    if (refundMicros * 2n !== price) expect(winner).to.equal(refundMicros * 2n > price ? 'buyer' : 'seller')
    else expect(winner).to.not.equal(opener)
  }

  it('distributes the whole price, whatever the remedy and the fee, and names the remedy that it is [spec 1:13 2.11:2 3.3:1 3.3:4]', () => {
    fc.assert(
      fc.property(facts, fc.nat(1000), (found, feeBps) => {
        const price = BigInt(found.price.replace('.', ''))
        for (const decision of [decideByRules(found), decideByDefault(found)]) {
          if (decision.kind !== 'escalated') expectWhole(price, decision.refundMicros, { feeBps, opener: found.opener })
        }
      }),
    )
  })
})
