import { describe, it } from 'node:test'
import { expect } from 'chai'
import { dayText, timestampSchema } from '../../../../api/platform/http/route/schemas.ts'

describe('a time in a request', () => {
  const read = (text: string) => timestampSchema.safeParse(text).data?.toISOString()

  it('is one of RFC 3339, with any offset, in either case, cut to milliseconds', () => {
    for (const [text, time] of [
      ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01T00:00:00+00:00', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01T00:00:00-00:00', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01t00:00:00z', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01T05:30:00+05:30', '2030-01-01T00:00:00.000Z'],
      ['2029-12-31T16:00:00.5-08:00', '2030-01-01T00:00:00.500Z'],
      ['2030-01-01T00:00:00.123999999Z', '2030-01-01T00:00:00.123Z'],
    ] as const)
      expect(read(text), text).to.equal(time)
  })

  it('takes a leap second as the second before it, where there can be one', () => {
    for (const text of ['2016-12-31T23:59:60Z', '2016-12-31T15:59:60-08:00', '2017-01-01T05:29:60+05:30'])
      expect(read(text), text).to.equal('2016-12-31T23:59:59.000Z')
    expect(read('2016-12-31T23:59:60.75Z')).to.equal('2016-12-31T23:59:59.750Z')
    for (const text of ['2016-12-31T12:00:60Z', '2016-12-31T23:59:60+05:30', '2016-12-31T23:59:61Z'])
      expect(read(text), text).to.equal(undefined)
  })

  it('is refused in any other form, without an offset, and outside of the years 1 to 9999', () => {
    for (const text of [
      '2030-01-01',
      '2030-01-01T00:00:00',
      '2030-01-01 00:00:00Z',
      '2030-01-01T00:00:00+0000',
      '2030-01-01T00:00:00+24:00',
      '2030-01-01T24:00:00Z',
      '2030-02-29T00:00:00Z',
      ' 2030-01-01T00:00:00Z',
      '1893456000',
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '+012030-01-01T00:00:00Z',
    ])
      expect(read(text), text).to.equal(undefined)
    expect(read('0001-01-01T00:00:00Z')).to.equal('0001-01-01T00:00:00.000Z')
    expect(read('9999-12-31T23:59:59.999Z')).to.equal('9999-12-31T23:59:59.999Z')
  })
})

describe('a day in a request', () => {
  it('is one of the calendar, in the years 1 to 9999', () => {
    for (const day of ['0001-01-01', '2028-02-29', '9999-12-31'])
      expect(dayText.safeParse(day).success, day).to.equal(true)
    for (const day of ['0000-01-01', '0000-12-31', '2030-02-29', '2030-1-1', '10000-01-01', '2030-01-01T00:00:00Z'])
      expect(dayText.safeParse(day).success, day).to.equal(false)
  })
})
