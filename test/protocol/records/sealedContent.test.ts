import { describe, it } from 'node:test'
import { expect } from 'chai'
import { sealedContent } from '../../../protocol/records/sealedContent.ts'
import { changed, pathsOf } from '../../kit/members.ts'

const of = (length: number, character = 'A') => character.repeat(length)
const grant = { recipient_urn: 'market:agent:1', enc: of(43), key: of(64) }
const sealed = {
  ...{ id: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c', ciphertext: of(400_000), commitment: of(64, 'a') },
  ...{ grants: [grant, grant], signature: of(86) },
}
const faultsOf = (value: unknown) =>
  sealedContent.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('the wire form of a sealed message', () => {
  it('has each part in just its length, and says of any other what it must be', () => {
    expect(faultsOf(sealed)).to.deep.equal([])
    const [forEnc, forKey] = ['must be 32 bytes, base64url', 'must be 48 bytes, base64url']
    const forms: Record<string, string> = {
      ...{ commitment: 'must be 64 lowercase hex digits', signature: 'must be 64 bytes, base64url' },
      ...{ 'grants.0.enc': forEnc, 'grants.1.enc': forEnc, 'grants.0.key': forKey, 'grants.1.key': forKey },
    }
    for (const path of pathsOf(sealed)) {
      const form = forms[path.join('.')]
      if (!form) continue
      for (const change of [
        (text: string) => text.slice(1),
        (text: string) => `${text}A`,
        (text: string) => `!${text.slice(1)}`,
      ]) {
        const faults = faultsOf(changed(sealed, path, (text) => change(text as string)))
        expect(faults, path.join('.')).to.deep.equal([`${path.join('.')}: ${form}`])
      }
    }
  })

  it('has a ciphertext of 1 to 400,000 characters, an id, and two grants with nothing else in them', () => {
    const bytes = 'ciphertext: must be bytes, base64url'
    expect(faultsOf({ ...sealed, ciphertext: '' })).to.deep.equal([bytes])
    for (const ciphertext of ['a b', 'ab=', 'ab\n', '+a'])
      expect(faultsOf({ ...sealed, ciphertext })).to.deep.equal([bytes])
    expect(faultsOf({ ...sealed, ciphertext: 'A' })).to.deep.equal([])
    expect(faultsOf({ ...sealed, ciphertext: of(400_001) })).to.have.length(1)
    expect(faultsOf({ ...sealed, id: '1' })).to.have.length(1)
    for (const grants of [[grant], [grant, grant, grant], [grant, { ...grant, more: 1 }]])
      expect(faultsOf({ ...sealed, grants })).to.have.length(1)
    expect(faultsOf({ ...sealed, more: 1 })).to.have.length(1)
  })
})
