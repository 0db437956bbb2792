import { describe, it } from 'node:test'
import { expect } from 'chai'
import { currentTraceparent, inTrace } from '../../../protocol/telemetry/trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

/** What is written down of a header. */
const kept = (header: unknown) => inTrace(header, currentTraceparent)

describe('a traceparent', () => {
  it('is kept in the form of version 00, with the flags that we know', () => {
    for (const flags of ['00', '01', '02', '03']) {
      expect(kept(`00-${TRACE}-${PARENT}-${flags}`)).to.equal(`00-${TRACE}-${PARENT}-${flags}`)
    }
    expect(kept(`00-${TRACE}-${PARENT}-ff`)).to.equal(`00-${TRACE}-${PARENT}-03`)
    expect(kept(`cc-${TRACE}-${PARENT}-01`)).to.equal(`00-${TRACE}-${PARENT}-01`)
    expect(kept(`cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`)).to.equal(`00-${TRACE}-${PARENT}-01`)
  })

  it('that is anything else is ignored [risk trace-collector]', () => {
    const valid = `00-${TRACE}-${PARENT}-01`
    const wrong = [
      ...[
        undefined,
        null,
        7,
        {},
        '',
        ' ',
        valid.toUpperCase(),
        ` ${valid}`,
        `${valid} `,
        `${valid}\n`,
        `${valid}\r\nX: y`,
      ],
      ...[`${valid}-more`, `${valid}, ${valid}`, `ff-${TRACE}-${PARENT}-01`, `0-${TRACE}-${PARENT}-01`],
      ...[`00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE}-${PARENT}-0`],
      ...[`00-${TRACE}-${PARENT}-0g`, `00-${TRACE.slice(1)}-${PARENT}-01`, `00-${TRACE}${PARENT}-01`],
      ...[`cc-${TRACE}-${PARENT}-01more`, `cc-${TRACE}-${PARENT}-01-${'a'.repeat(1_000)}`],
    ]
    for (const header of wrong) expect(kept(header), String(header)).to.equal(null)
  })

  it('is of the work it was given with, and of no other', async () => {
    const [one, other] = [`00-${TRACE}-${PARENT}-01`, `00-${PARENT}${PARENT}-${PARENT}-00`]
    const later = async () => {
      await new Promise(setImmediate)
      return currentTraceparent()
    }
    const both = await Promise.all([inTrace(one, later), inTrace(other, later), later(), inTrace('none', later)])
    expect(both).to.deep.equal([one, other, null, null])
    expect(inTrace(one, () => inTrace(null, currentTraceparent))).to.equal(null)
  })
})
