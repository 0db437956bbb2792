import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { inputNeeds } from '../../../protocol/records/inputNeeds.ts'
import { mismatchesOf, SchemaTooCostly } from '../../../protocol/records/jsonSchema.ts'

const SUBJECT = {
  type: 'object',
  properties: {
    subject: { type: 'string', minLength: 1, maxLength: 80 },
    language: { enum: ['de', 'en'], title: 'Language' },
    lines: { type: 'integer', minimum: 2, multipleOf: 2 },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 3 },
    'a/b~c': { type: 'boolean' },
  },
  required: ['subject'],
  additionalProperties: false,
}

describe('a value and its JSON Schema', () => {
  it('names each wrong member by its JSON Pointer, and says what it must be', () => {
    expect(mismatchesOf(SUBJECT, { subject: 'herons', language: 'de', lines: 42, tags: ['a', 'b'] })).to.deep.equal([])
    const wrong = { language: 'fr', lines: 3, tags: ['a', 7, 'a'], 'a/b~c': 'yes', more: 1 }
    expect(mismatchesOf(SUBJECT, wrong)).to.deep.equal([
      { pointer: '/language', detail: 'must be one of "de", "en"' },
      { pointer: '/lines', detail: 'must be a multiple of 2' },
      { pointer: '/tags/1', detail: 'must be text' },
      { pointer: '/tags', detail: 'must have no item twice' },
      { pointer: '/a~1b~0c', detail: 'must be true or false' },
      { pointer: '/subject', detail: 'is required' },
      { pointer: '/more', detail: 'is not allowed' },
    ])
    expect(mismatchesOf(SUBJECT, 'herons')).to.deep.equal([{ pointer: '', detail: 'must be an object' }])
    expect(mismatchesOf({ properties: { lines: { maximum: 0.3, multipleOf: 0.1 } } }, { lines: 0.3 })).to.deep.equal([])
  })

  it('lists at most twenty members', () => {
    expect(
      mismatchesOf(
        { items: { type: 'string' } },
        Array.from({ length: 100 }, () => 1),
      ),
    ).to.have.length(20)
  })

  it('is judged as Ajv judges it, for any schema of the keywords', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    fc.assert(
      fc.property(schemasOf(2), fc.array(values, { minLength: 5, maxLength: 5 }), (schema, tried) => {
        const validate = ajv.compile(schema)
        for (const value of tried) expect(mismatchesOf(schema, value).length === 0).to.equal(validate(value))
      }),
      { numRuns: 400 },
    )
  })

  it('ends after a bounded number of steps, whatever seller and buyer write', () => {
    const numbers = Array.from({ length: 30_000 }, (_, at) => at)
    const hostile = [
      { items: { anyOf: [...Array.from({ length: 800 }, () => ({ type: 'null' })), true] } },
      { allOf: Array.from({ length: 500 }, () => ({ uniqueItems: true })) },
      { contains: { allOf: Array.from({ length: 500 }, () => ({ enum: numbers })) }, minContains: 40_000 },
    ]
    for (const schema of hostile) expect(() => mismatchesOf(schema, numbers)).to.throw(SchemaTooCostly)
    const texts = Array.from({ length: 30 }, () => 'x'.repeat(2_000))
    const lengths = { items: { allOf: Array.from({ length: 500 }, () => ({ minLength: 1 })) } }
    expect(() => mismatchesOf(lengths, texts)).to.throw(SchemaTooCostly)
  })

  it('takes members named like those of all objects for ordinary ones', () => {
    expect(mismatchesOf({ required: ['constructor'] }, {})).to.deep.equal([
      { pointer: '/constructor', detail: 'is required' },
    ])
    expect(mismatchesOf({ toString: 1, properties: { valueOf: { type: 'string' } } }, {})).to.deep.equal([])
  })
})

describe('what an ask needs', () => {
  it('is said in a few words', () => {
    expect(inputNeeds('required', SUBJECT)).to.deep.equal([
      'subject (text)',
      'Language (one of 2, optional)',
      'lines (whole number, optional)',
      'tags (list of text, optional)',
      'a/b~c (yes or no, optional)',
    ])
    expect(inputNeeds('optional', SUBJECT)[0]).to.equal('subject (text, optional)')
    expect(inputNeeds('required', null)).to.deep.equal(['input (text)'])
    expect(inputNeeds('none', null)).to.deep.equal([])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, true]))
    expect(inputNeeds('required', { properties: many }).at(-1)).to.equal('and 28 more')
  })
})

const names = fc.constantFrom('a', 'b', 'c')
const small = fc.integer({ min: 0, max: 3 })
const scalars = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.boolean(),
  fc.constantFrom('', 'x', 'xyz', '🐦'),
  fc.constant(null),
)
const { values } = fc.letrec<{ values: unknown }>((tie) => ({
  values: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('values'), { maxLength: 4 }),
    fc.dictionary(names, tie('values'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null')
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const plain = fc.oneof(
  fc.tuple(fc.constant('type'), fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
  fc.tuple(fc.constant('enum'), fc.array(scalars, { minLength: 1, maxLength: 3 })),
  fc.tuple(fc.constant('const'), scalars),
  fc.tuple(fc.constantFrom(...counts, ...bounds, 'minContains', 'maxContains'), small),
  fc.tuple(fc.constant('multipleOf'), fc.integer({ min: 1, max: 3 })),
  fc.tuple(fc.constant('uniqueItems'), fc.boolean()),
  fc.tuple(fc.constant('required'), fc.uniqueArray(names)),
  fc.tuple(fc.constant('dependentRequired'), fc.dictionary(names, fc.uniqueArray(names), { maxKeys: 2 })),
)
const INNER = ['items', 'contains', 'additionalProperties', 'not', 'if', 'then', 'else'] as const

/** Schemas of up to four keywords, with others in them to this depth. */
function schemasOf(depth: number): fc.Arbitrary<object> {
  if (depth === 0) return fc.array(plain, { maxLength: 2 }).map((rules) => Object.fromEntries(rules))
  const inner = fc.oneof(fc.boolean(), schemasOf(depth - 1), schemasOf(depth - 1))
  const lists = fc.array(inner, { minLength: 1, maxLength: 3 })
  const rule = fc.oneof(
    plain,
    fc.tuple(fc.constantFrom(...INNER), inner),
    fc.tuple(fc.constantFrom('allOf', 'anyOf', 'oneOf', 'prefixItems'), lists),
    fc.tuple(fc.constant('properties'), fc.dictionary(names, inner, { maxKeys: 2 })),
  )
  return fc.array(rule, { maxLength: 4 }).map((rules) => {
    const { prefixItems, ...schema } = Object.fromEntries(rules)
    // With both, Ajv accepts an empty list, which contains nothing.
    return prefixItems === undefined || 'contains' in schema ? schema : { ...schema, prefixItems }
  })
}
