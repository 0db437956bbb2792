import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createKeystore, KeystoreError, openKeystore } from '../../../protocol/keys/keystore.ts'

const PASSWORD = 'correct horse ✓'
/** So that guessing takes no time here. */
const CHEAP = { n: 1024, r: 8, p: 1 }
// Written by ethers 6.17.0.
const OF_ETHERS = {
  version: 3,
  id: '90f7bf8a-25e9-4358-bcd0-b1432d4693f1',
  address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b',
  Crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '46ed2aab003004f0ec77b995aee50478' },
    ciphertext: '6c500697b2feb983ed3af76d08c2423e9c81e610798e4c81012e30c5455f3802',
    kdf: 'scrypt',
    kdfparams: {
      salt: '2a4d53b055d0dec995a0ef6a2a5704d0621b3ab9c4657e915c8f884c9098e6c1',
      ...{ n: 4096, dklen: 32, p: 1, r: 8 },
    },
    mac: '5c8c6c78dddae46c0ce611867a227a406efc1928a5246c0755dc9bf6fecff87e',
  },
}
const KEY_OF_ETHERS = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'

describe('a keystore', () => {
  const failureOf = async (text: string, password = PASSWORD) => {
    const error = await openKeystore(text, password).then(
      () => new Error('it opened'),
      (failure: Error) => failure,
    )
    expect(error, text).to.be.instanceOf(KeystoreError)
    return error.message
  }
  const changed = (changes: object) => JSON.stringify({ ...OF_ETHERS, Crypto: { ...OF_ETHERS.Crypto, ...changes } })

  it('of another program opens', async () => {
    expect(await openKeystore(JSON.stringify(OF_ETHERS), PASSWORD)).to.equal(KEY_OF_ETHERS)
  })

  it('of ours opens with its password, names its address, and shows nothing of its key', async () => {
    const key = generatePrivateKey()
    const text = await createKeystore(key, PASSWORD, CHEAP)
    expect(await openKeystore(text, PASSWORD)).to.equal(key)
    expect(JSON.parse(text)).to.deep.include({ version: 3, address: privateKeyToAddress(key).slice(2).toLowerCase() })
    expect(text).to.not.contain(key.slice(2))
  })

  it('is not made of what is no key, which no error quotes', async () => {
    const failure = await createKeystore(`0x${'ff'.repeat(32)}`, PASSWORD, CHEAP).catch((error: Error) => error.message)
    expect(failure).to.equal('this is no private key')
  })

  it('of one key and password is another each time', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => createKeystore(KEY_OF_ETHERS, PASSWORD, CHEAP)))
    const secretsOf = (text = '') => JSON.parse(text).crypto as { ciphertext: string; cipherparams: { iv: string } }
    expect(secretsOf(one).ciphertext).to.not.equal(secretsOf(other).ciphertext)
    expect(secretsOf(one).cipherparams.iv).to.not.equal(secretsOf(other).cipherparams.iv)
  })

  it('is as hard to guess as those of wallets', async () => {
    const { kdfparams } = JSON.parse(await createKeystore(generatePrivateKey(), PASSWORD)).crypto
    expect(kdfparams).to.deep.include({ n: 262_144, r: 8, p: 1 })
  })

  it('does not open with another password, nor after a change of any of its secrets', async () => {
    expect(await failureOf(JSON.stringify(OF_ETHERS), `${PASSWORD} `)).to.contain('password is wrong')
    const { ciphertext, kdfparams, mac } = OF_ETHERS.Crypto
    const flipped = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1)
    expect(await failureOf(changed({ ciphertext: flipped(ciphertext) }))).to.contain('was changed')
    expect(await failureOf(changed({ mac: flipped(mac) }))).to.contain('was changed')
    const salted = { ...kdfparams, salt: flipped(kdfparams.salt) }
    expect(await failureOf(changed({ kdfparams: salted }))).to.contain('was changed')
  })

  it('of another form is refused, and what is wrong is named', async () => {
    const { kdfparams } = OF_ETHERS.Crypto
    const wrong: [string, string][] = [
      ['', 'not JSON'],
      ['{}', 'version'],
      ['[]', 'no keystore'],
      [JSON.stringify({ version: 3 }), 'crypto'],
      [JSON.stringify({ ...OF_ETHERS, version: 1 }), 'version'],
      [changed({ kdf: 'pbkdf2' }), 'kdf'],
      [changed({ cipher: 'aes-128-cbc' }), 'cipher'],
      [changed({ kdfparams: { ...kdfparams, n: 4095 } }), 'kdfparams.n'],
      [changed({ kdfparams: { ...kdfparams, n: 2 ** 30 } }), 'kdfparams'],
      [changed({ kdfparams: { ...kdfparams, n: 2 ** 18, r: 1 } }), 'kdfparams'],
      [changed({ ciphertext: '00' }), 'ciphertext'],
    ]
    for (const [text, named] of wrong) expect(await failureOf(text)).to.contain(named)
  })

  it('that is any other text is refused, and never repeated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
        const message = await failureOf(text)
        if (text.length > 8) expect(message).to.not.contain(text)
      }),
    )
  })
})
