import { describe, it } from 'node:test'
import { expect } from 'chai'
import { findDisorder } from '../../../cli/tools/structure.ts'

const rooms = { room: { 'low/inner': {}, low: { offers: 'door' }, high: {}, '.': {} } }

const files = {
  'room/low/inner/part.ts': [],
  'room/low/door.ts': ['room/low/inner/part.ts', 'room/low/own.ts'],
  'room/low/own.ts': [],
  'room/high/user.ts': ['room/low/door.ts'],
  'room/main.ts': ['room/low/door.ts'],
  'other/main.ts': ['room/low/door.ts'],
}

function disorder(
  changed: Record<string, string[]>,
  its: NonNullable<Parameters<typeof findDisorder>[1]> = rooms,
): string[] {
  const modules = Object.entries({ ...files, ...changed }).map(([path, imports]) => ({ path, text: '', imports }))
  return findDisorder(modules, its)
}

describe('the order of a room', () => {
  it('is kept by imports of what is below, by its doors, and of what is within', () => {
    expect(disorder({})).to.deep.equal([])
  })

  it('is broken by an import that is turned round', () => {
    expect(disorder({ 'room/low/own.ts': ['room/main.ts'] })).to.deep.equal([
      'room/low/own.ts imports room/main.ts, which is above it',
      'room/low/own.ts imports room/main.ts, which is no door',
    ])
    const turned = disorder({ 'room/low/inner/part.ts': ['room/low/door.ts'] })
    expect(turned).to.deep.equal(['room/low/inner/part.ts imports room/low/door.ts, which is above it'])
  })

  it('is broken by an import past a door, of its own room or of another', () => {
    expect(disorder({ 'room/high/user.ts': ['room/low/own.ts'] })).to.deep.equal([
      'room/high/user.ts imports room/low/own.ts, which is no door',
    ])
    expect(disorder({ 'other/main.ts': ['room/low/inner/part.ts'] })).to.deep.equal([
      'other/main.ts imports room/low/inner/part.ts, which is no door',
    ])
  })

  it('names files in no folder, and doors that nobody uses', () => {
    expect(disorder({ 'room/new/file.ts': [] })).to.deep.equal(['room/new/file.ts is in no folder of its room'])
    expect(disorder({}, { room: { ...rooms.room, high: { offers: 'user' } } })).to.deep.equal([
      'room/high/user.ts is a door that nobody uses',
    ])
  })
})
