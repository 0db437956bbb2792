import { describe, it } from 'node:test'
import { expect } from 'chai'
import { colourOf, initialsOf } from '../../console/ui/pictures/internal/initials.ts'

describe('an avatar', () => {
  it('has the initials of a name, in whichever script', () => {
    const names = ['Ada Lovelace', 'kestrel', ' Ada  King of Lovelace ', 'poem-writer', '翻译 服务', '🦊 fox', '']
    expect(names.map(initialsOf)).to.deep.equal(['AL', 'K', 'AK', 'PW', '翻服', '🦊F', ''])
  })

  it('has one of eight colours, always the same for an id', () => {
    const ids = ['01890000-0000-7000-8000-000000000000', '01890000-0000-7000-8000-00000000000f', 'no id']
    expect(ids.map(colourOf)).to.deep.equal([0, 7, 0])
  })
})
