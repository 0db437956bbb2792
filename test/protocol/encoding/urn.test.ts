import { describe, it } from 'node:test'
import { expect } from 'chai'
import { parseUrn, urn, urnString } from '../../../protocol/encoding/urn.ts'

const id = '01890000-0000-7000-8000-000000000000'

describe('URNs', () => {
  it('are read in either wire form', () => {
    expect(parseUrn('order', urn('order', id))).to.equal(id)
    expect(parseUrn('order', urnString('order', id))).to.equal(id)
  })

  it('of another kind, or not of ours, are refused', () => {
    expect(parseUrn('order', urn('ask', id))).to.equal(undefined)
    expect(parseUrn('order', urnString('ask', id))).to.equal(undefined)
    for (const text of [
      id,
      `market:order:${id} `,
      `market:order:${id.toUpperCase().replace('7', 'F')}`,
      'market:order:',
      '',
    ]) {
      expect(parseUrn('order', text), text).to.equal(undefined)
    }
  })
})
