import { describe, it } from 'node:test'
import { expect } from 'chai'
import { findDisorder } from '../../../cli/tools/structure.ts'

const rooms = { room: ['low/inner', 'low', 'high', '.'] }

const files = {
  'room/low/inner/part.ts': [],
  'room/low/door.ts': ['room/low/inner/part.ts', 'room/low/internal/own.ts'],
  'room/low/internal/own.ts': [],
  'room/high/user.ts': ['room/low/door.ts'],
  'room/main.ts': ['room/low/door.ts'],
  'other/main.ts': ['room/low/door.ts'],
}

function disorder(changed: Record<string, string[]>): string[] {
  const modules = Object.entries({ ...files, ...changed }).map(([path, imports]) => ({ path, text: '', imports }))
  return findDisorder(modules, rooms)
}

describe('the order of a room', () => {
  it('is kept by imports of what is below, of what stands outside, and of what is within', () => {
    expect(disorder({})).to.deep.equal([])
  })

  it('is broken by an import that is turned round', () => {
    expect(disorder({ 'room/low/internal/own.ts': ['room/main.ts'] })).to.deep.equal([
      'room/low/internal/own.ts imports room/main.ts, which is above it',
    ])
    const turned = disorder({ 'room/low/inner/part.ts': ['room/low/door.ts'] })
    expect(turned).to.deep.equal(['room/low/inner/part.ts imports room/low/door.ts, which is above it'])
  })

  it("is broken by an import of another folder's internal files, in its own room or in another", () => {
    expect(disorder({ 'room/high/user.ts': ['room/low/door.ts', 'room/low/internal/own.ts'] })).to.deep.equal([
      'room/high/user.ts imports room/low/internal/own.ts, which is internal',
    ])
    expect(disorder({ 'other/main.ts': ['room/low/door.ts', 'room/low/internal/own.ts'] })).to.deep.equal([
      'other/main.ts imports room/low/internal/own.ts, which is internal',
    ])
  })

  it('names files in no folder, and files outside that their folder alone imports', () => {
    expect(disorder({ 'room/new/file.ts': [] })).to.deep.equal(['room/new/file.ts is in no folder of its room'])
    expect(disorder({ 'room/low/own.ts': [], 'room/low/door.ts': ['room/low/own.ts'] })).to.deep.equal([
      'room/low/own.ts is imported by its folder alone, and is not in its internal/',
    ])
  })
})
