import { describe, it } from 'node:test'
import { expect } from 'chai'
import { cellOf, newId, newSecretId } from '../../../protocol/encoding/ids.ts'
import { parseUrn, urnString } from '../../../protocol/encoding/urn.ts'

const MANY = 20_000

describe('an id', () => {
  it('is a UUID of version 7 of cell 0, greater than every earlier one, and like no other', () => {
    const ids = Array.from({ length: MANY }, () => newId())
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids.map(cellOf))).to.deep.equal(new Set(['000']))
    expect(ids.toSorted()).to.deep.equal(ids)
    expect(new Set(ids).size).to.equal(MANY)
    // What people see of a shortened one.
    expect(new Set(ids.map((id) => id.slice(-6))).size).to.be.above(MANY * 0.9)
  })

  it('that nobody can guess is of cell 0 too, and random but for that', () => {
    const ids = Array.from({ length: 1_000 }, () => newSecretId())
    expect(new Set(ids.map(cellOf))).to.deep.equal(new Set(['000']))
    const bits = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`))
    const fixed = bits.reduce((all, id) => all & ~((bits[0] ?? 0n) ^ id), (1n << 128n) - 1n)
    // Four bits of version, two of variant, twelve of the cell.
    expect(fixed.toString(2).replaceAll('0', '')).to.have.length(18)
  })

  it('keeps every other random bit', () => {
    const bits = Array.from({ length: MANY }, () => BigInt(`0x${newId().replaceAll('-', '')}`))
    const set = bits.reduce((all, id) => all | id, 0n)
    const unset = bits.reduce((all, id) => all & id, (1n << 128n) - 1n)
    // Below the variant: 62 bits, of which the cell has the twelve above the last 28.
    const free = ((1n << 62n) - 1n) ^ (0xfffn << 28n)
    const low = (1n << 30n) - 1n
    expect(set & (0xfffn << 28n)).to.equal(0n)
    expect(set & free & low).to.equal(free & low)
    expect(unset & free & low).to.equal(0n)
  })

  it('is taken whatever its cell, as are those that were made otherwise', () => {
    for (const id of ['0198c0de-1234-7abc-8def-00fff0123456', crypto.randomUUID()])
      expect(parseUrn('order', urnString('order', id))).to.equal(id)
  })
})
