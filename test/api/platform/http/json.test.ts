import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { Problem } from '../../../../api/errors.ts'
import { parseJson } from '../../../../api/platform/http/serve/json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: 'grapheme' }), (text) => {
        fc.pre(!text.includes(String.raw`\u0000`) && !text.includes('__proto__'))
        expect(parse(text)).to.deep.equal(JSON.parse(text))
      }),
    )
  })

  it('may be nested 64 deep and no deeper, whatever its strings hold [risk API4]', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}"]]]{\\"{\\\\"${']'.repeat(depth)}`
    expect(parse(nested(64))).to.be.an('array')
    expect(() => parse(nested(65))).to.throw(Problem)
  })

  it('holds no NUL and no half of a surrogate pair, in no member and no name', () => {
    for (const [text, field] of [
      [String.raw`{"a":{"b":["x","\u0000"]}}`, 'a.b.1'],
      [String.raw`{"a":{"\u0000":1}}`, 'a'],
      [String.raw`{"a":"\udfff"}`, 'a'],
    ] as const) {
      expect(() => parse(text))
        .to.throw(Problem)
        .that.includes({ problem: 'request/invalid', field })
    }
    expect(parse('{"a":"😀"}')).to.deep.equal({ a: '😀' })
    expect(() => parse(String.raw`{"\ud800":1}`))
      .to.throw(Problem)
      .that.includes({ problem: 'request/invalid', field: undefined })
  })

  it('names no member twice, on no level and however the name is written', () => {
    for (const text of ['{"a":1,"a":1}', '[{"b":{"a":1,"c":":","a":2}}]', String.raw`{"a":1,"\u0061":2}`]) {
      expect(() => parse(text), text)
        .to.throw(Problem)
        .that.includes({ problem: 'request/malformed' })
    }
    expect(parse('[{"a":1},{"a":{"a":":,{"}}]')).to.deep.equal([{ a: 1 }, { a: { a: ':,{' } }])
  })

  it('holds nothing that would be kept otherwise than it was sent', () => {
    for (const [text, field] of [
      ['{"a":[{"__proto__":{"b":1}}]}', 'a.0.__proto__'],
      ['{"a":1e400}', 'a'],
      ['[-1e400]', '0'],
    ] as const) {
      expect(() => parse(text), text)
        .to.throw(Problem)
        .that.includes({ problem: 'request/invalid', field })
    }
  })
})
