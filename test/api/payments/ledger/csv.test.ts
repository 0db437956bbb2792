import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { csvRow } from '../../../../api/payments/ledger/internal/csv.ts'

const STARTS_FORMULA = /^[\s"]*[=+\-@＝]/

describe('a row of CSV', () => {
  const pieces = fc.constantFrom(
    '=',
    '+1',
    '-',
    '@',
    '＝',
    ';',
    ',',
    '"',
    '\n',
    '\r',
    '\t',
    ' ',
    'HYPERLINK(',
    "'",
    'a',
  )
  const texts = fc.array(pieces, { maxLength: 12 }).map((chosen) => chosen.join(''))

  it('has no formula for a spreadsheet that divides at semicolons, tabs or lines, whatever a text says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cells = csvRow([{ text: 'line' }, { text }]).split(/[;\t\r\n]/)
        expect(cells.filter((cell) => STARTS_FORMULA.test(cell))).to.deep.equal([])
      }),
      { numRuns: 3_000 },
    )
  })

  it('says to one that divides at commas what it was given, but for apostrophes before formulas', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cell = csvRow([{ text }]).slice(0, -2)
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        expect(STARTS_FORMULA.test(read)).to.equal(false)
        expect(read.replaceAll("'", '')).to.equal(text.replaceAll("'", ''))
      }),
      { numRuns: 3_000 },
    )
  })

  it('leaves numbers as they are, and text that is none', () => {
    const cells = [{ number: '-1.000000' }, { text: 'Verse; free' }, { text: 'a-b' }, { text: null }]
    expect(csvRow(cells)).to.equal('-1.000000,"Verse; free",a-b,\r\n')
  })
})
