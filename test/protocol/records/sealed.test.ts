import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import * as ed25519 from '@noble/ed25519'
import { expect } from 'chai'
import { toBase64url, utf8 } from '../../../protocol/encoding/bytes.ts'
import {
  commitmentOf,
  decryptWords,
  encryptWords,
  grantInfo,
  isSealedBy,
  SealBroken,
  type SealedContent,
  type SealedPlace,
  type SealedWords,
  sealStatement,
} from '../../../protocol/records/sealed.ts'

const place: SealedPlace = {
  threadUrn: 'market:thread:1',
  senderUrn: 'market:agent:1',
  kind: 'message',
  payload: null,
  id: '1',
}
const key = new Uint8Array(randomBytes(32))
const words: SealedWords = { payload: { price: 1 }, body: 'a word' }

const open = (ciphertext: string, { of = key, commitment }: { of?: Uint8Array; commitment?: string } = {}) =>
  decryptWords(
    place,
    { id: '1', ciphertext, commitment: commitment ?? commitmentOf(place, of, ciphertext), grants: [], signature: '' },
    of,
  ).catch((error: unknown) => error)
const sealed = (what: unknown) => encryptWords(place, key, what as SealedWords)

describe('what was sealed for its readers', () => {
  it('is read with the key that its sender committed to, of any form that a message has', async () => {
    for (const what of [words, { payload: null, body: null }, { ...words, later: true }])
      expect(await open(await sealed(what))).to.deep.equal({ payload: what.payload, body: what.body })
  })

  it('is broken where its text is no base64url: nothing else is thrown of it', async () => {
    const ciphertext = await sealed(words)
    const commitment = commitmentOf(place, key, ciphertext)
    const texts = [`!${ciphertext}`, `${ciphertext}!`, ciphertext.replace(/.$/, '='), `${toBase64url(utf8('abc'))}A`]
    for (const text of [...texts, `${ciphertext}\n`])
      expect(await open(text, { commitment }), text)
        .to.be.instanceOf(SealBroken)
        .and.to.include({ name: 'SealBroken' })
  })

  it('is broken for another key than the committed one, even one that opens it', async () => {
    const ciphertext = await sealed(words)
    const commitment = commitmentOf(place, key, ciphertext)
    const other = new Uint8Array(32)
    expect(await open(ciphertext, { of: other, commitment })).to.be.instanceOf(SealBroken)
    expect(await open(ciphertext, { of: other })).to.be.instanceOf(SealBroken)
    expect(await open(ciphertext, { commitment: commitmentOf(place, other, ciphertext) })).to.be.instanceOf(SealBroken)
    for (const elsewhere of [
      { ...place, id: '2' },
      { ...place, kind: 'offer' },
    ])
      expect(await open(ciphertext, { commitment: commitmentOf(elsewhere, key, ciphertext) })).to.be.instanceOf(
        SealBroken,
      )
  })

  it('is broken for a key of another length, even one that opens it', async () => {
    const short = new Uint8Array(16)
    expect(await open(await encryptWords(place, short, words), { of: short })).to.be.instanceOf(SealBroken)
  })

  it('is broken where it is of another form', async () => {
    for (const what of [null, 'words', [], {}, { payload: null }, { body: null }, { payload: [], body: null }])
      expect(await open(await sealed(what)), JSON.stringify(what)).to.be.instanceOf(SealBroken)
    for (const what of [
      { payload: 'x', body: null },
      { payload: null, body: 1 },
      { payload: 1, body: 'x' },
    ])
      expect(await open(await sealed(what)), JSON.stringify(what)).to.be.instanceOf(SealBroken)
  })
})

describe('the form of a seal, by which today’s messages are read for ever', () => {
  const fixed = new Uint8Array(32).fill(7)
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  it('is as it was', async () => {
    const ciphertext = await encryptWords(place, fixed, words)
    expect(ciphertext).to.equal('GvrG3Z_rKdLDZq8TqwkvjJHN2ZgKsMQ6cje6s22ZaA-OrGtuso8W3LRBC0RptyvHTcDRlVFIZw')
    expect(commitmentOf(place, fixed, ciphertext)).to.equal(
      '5a14987bcb478f9ad28bb5430f0e227c2a83a28476ff05607a7f7e3fc645c52f',
    )
    expect(text(grantInfo(place, 'market:agent:2'))).to.equal(
      '{"kind":"message","label":"market:sealed:v1","message":"1","recipient":"market:agent:2","sender":"market:agent:1","thread":"market:thread:1","use":"grant"}',
    )
    const rest = { id: '1', ciphertext, commitment: 'c', grants: [{ recipient_urn: 'r', enc: 'e', key: 'k' }] }
    expect(text(sealStatement(place, rest))).to.equal(
      '{"ciphertext":"94c85c5f62c75c414d48b954e2b738b274183df165ab40f4bac6af14f92b2ce2","commitment":"c","grants":[{"enc":"e","key":"k","recipient_urn":"r"}],"kind":"message","label":"market:sealed:v1","message":"1","payload":null,"sender":"market:agent:1","thread":"market:thread:1","use":"signature"}',
    )
  })

  it('is signed by its sender: another key, another place or what is no signature does not count', async () => {
    const rest = { id: '1', ciphertext: await sealed(words), commitment: 'c', grants: [] }
    const { secretKey, publicKey } = await ed25519.keygenAsync()
    const signature = toBase64url(await ed25519.signAsync(sealStatement(place, rest), secretKey))
    const isSealed = (changes: Partial<SealedContent> = {}, by = publicKey, at = place) =>
      isSealedBy(at, { ...rest, signature, ...changes }, toBase64url(by))
    expect(await isSealed()).to.equal(true)
    expect(await isSealed({}, (await ed25519.keygenAsync()).publicKey)).to.equal(false)
    expect(await isSealed({}, publicKey, { ...place, senderUrn: 'market:agent:2' })).to.equal(false)
    expect(await isSealed({ commitment: 'd' })).to.equal(false)
    expect(await isSealed({ signature: '!' })).to.equal(false)
    expect(await isSealed({}, new Uint8Array(3))).to.equal(false)
  })
})
