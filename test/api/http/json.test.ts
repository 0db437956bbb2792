import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { Problem } from '../../../api/errors.ts'
import { parseJson } from '../../../api/http/json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: 'grapheme' }), (text) => {
        fc.pre(!text.includes(String.raw`\u0000`))
        expect(parse(text)).to.deep.equal(JSON.parse(text))
      }),
    )
  })

  it('may be nested 64 deep and no deeper, whatever its strings hold', () => {
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
  })
})
