import { describe, it } from 'node:test'
import { expect } from 'chai'
import { intentPayload, storeIntent } from '../../protocol/payments/intents.ts'

const ADDRESS = '0x5555555555555555555555555555555555555555'
const HASH = `0x${'ab'.repeat(32)}`
const terms = {
  ...{ order: HASH, payee: ADDRESS, amount: '20000000', feeRecipient: ADDRESS },
  ...{ feeBps: 500, fundBy: 1_800_000_000, expiry: 1_900_000_000 },
}
const release = { kind: 'release', terms, payer: ADDRESS, recipients: [ADDRESS], amounts: ['20000000'] }
const isTaken = (intent: object) => intentPayload.safeParse(intent).success

const authorization = {
  ...{ from: ADDRESS, to: ADDRESS, value: '1', validAfter: '0', validBefore: '2', nonce: HASH, signature: '0x01' },
}
const payment = { from: ADDRESS, nonce: HASH, amount: '1', txHash: HASH }
/** One of each kind, with what it must have. */
const KINDS = [
  ...[release, { kind: 'fund', terms, authorization }, { kind: 'deposit', authorization }],
  ...[
    { kind: 'adopt', terms, payment },
    { kind: 'payout', deposit: payment, leg: 'payee', to: ADDRESS, amount: '1' },
  ],
  ...[
    { kind: 'return_stray', payment },
    { kind: 'sweep', sequence: '1', amount: '1' },
    { kind: 'sight', distribution: release },
  ],
]

describe('an intent as its row has it', () => {
  it('is of one of these kinds, with all that its kind has, and is stored as it is read', () => {
    for (const intent of KINDS) {
      expect(storeIntent(intentPayload.parse(intent)), intent.kind).to.deep.equal(intent)
      for (const name of Object.keys(intent)) {
        const { [name as 'kind']: _, ...rest } = intent
        expect(isTaken(rest), `${intent.kind} without ${name}`).to.equal(false)
      }
    }
    for (const kind of ['', 'other']) expect(isTaken({ ...release, kind })).to.equal(false)
  })

  const inTerms = (changes: object) => isTaken({ ...release, terms: { ...terms, ...changes } })

  it('is read where every value has the width that the contract gives it, and not one above', () => {
    expect(isTaken(release)).to.equal(true)
    for (const [name, most] of [
      ['feeBps', 2 ** 16 - 1],
      ['fundBy', 2 ** 48 - 1],
      ['expiry', 2 ** 48 - 1],
    ] as const) {
      expect(inTerms({ [name]: most }), name).to.equal(true)
      expect(inTerms({ [name]: most + 1 }), name).to.equal(false)
      expect(inTerms({ [name]: 0 }), name).to.equal(true)
      expect(inTerms({ [name]: -1 }), name).to.equal(false)
    }
    expect(inTerms({ amount: String(2n ** 128n - 1n) })).to.equal(true)
    expect(inTerms({ amount: String(2n ** 128n) })).to.equal(false)
    expect(isTaken({ ...release, amounts: [String(2n ** 256n - 1n)] })).to.equal(true)
    expect(isTaken({ ...release, amounts: [String(2n ** 256n)] })).to.equal(false)
  })

  it('has one to three legs', () => {
    for (const count of [1, 3]) expect(isTaken(withLegs(count)), String(count)).to.equal(true)
    for (const count of [0, 4]) {
      expect(isTaken({ ...release, recipients: withLegs(count).recipients }), `${count} recipients`).to.equal(false)
      expect(isTaken({ ...release, amounts: withLegs(count).amounts }), `${count} amounts`).to.equal(false)
    }
  })

  it('is refused in any other spelling', () => {
    for (const amount of ['', '-1', '+1', '01', '1.0', '1e3', ' 1', '1\n', '0x1']) {
      expect(inTerms({ amount }), JSON.stringify(amount)).to.equal(false)
    }
    expect(inTerms({ amount: '0' })).to.equal(true)
    for (const order of [`${HASH}ab`, HASH.slice(0, -2), HASH.slice(2), `${HASH.slice(0, -1)}g`, `${HASH}\n`]) {
      expect(inTerms({ order }), order).to.equal(false)
    }
    for (const payee of [ADDRESS.slice(0, -1), `${ADDRESS}5`, ADDRESS.slice(2), `${ADDRESS}\n`]) {
      expect(inTerms({ payee }), payee).to.equal(false)
    }
  })

  it('is refused with a member that nobody reads', () => {
    expect(isTaken({ ...release, note: 'please' })).to.equal(false)
    expect(inTerms({ note: 'please' })).to.equal(false)
  })

  it('has its hash in lower case, as nodes have it', () => {
    const spelt = { ...terms, order: HASH.toUpperCase().replace('0X', '0x') }
    expect(intentPayload.parse({ ...release, terms: spelt })).to.have.nested.property('terms.order', HASH)
  })
})

function withLegs(count: number) {
  const legs = Array.from({ length: count })
  return { ...release, recipients: legs.map(() => ADDRESS), amounts: legs.map(() => '1') }
}
