import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Hex, type LocalAccount, parseGwei, slice, type TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { remoteSigner, requireRemoteKeys } from '../../facilitator/remoteSigner.ts'
import { transferAuthorizationTypedData } from '../../protocol/payments/authorization.ts'
import { startWeb3signer, type Web3signer } from '../kit/facilitator/web3signer.ts'

const KEY = generatePrivateKey()
const LOCAL = privateKeyToAccount(KEY)
const OTHER = privateKeyToAccount(generatePrivateKey())
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const TRANSACTION: TransactionSerializableEIP1559 = {
  ...{ chainId: 8453, nonce: 7, to: OTHER.address, data: '0x1234', gas: 60_000n, value: 0n },
  ...{ type: 'eip1559', maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 1n },
}
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: OTHER.address } as const
const AUTHORIZATION = transferAuthorizationTypedData(DOMAIN, {
  ...{ from: LOCAL.address, to: OTHER.address, value: 1_000_000n },
  ...{ validAfter: 0n, validBefore: 2_000_000_000n, nonce: `0x${'ab'.repeat(32)}` },
})

describe('an account whose key a remote signer holds', () => {
  let signer: Web3signer
  let remote: LocalAccount

  before(async () => {
    signer = await startWeb3signer([KEY])
    remote = remoteSigner(signer.url)(LOCAL.address)
  })
  beforeEach(() => {
    signer.twist = (signature) => signature
  })
  after(() => signer.stop())

  const failure = async (signing: Promise<unknown>) => {
    try {
      await signing
    } catch (error) {
      return String(error)
    }
    throw new Error('it signed')
  }

  it('signs the bytes that the key itself would sign [risk remote-signer]', async () => {
    expect(await remote.signTransaction(TRANSACTION)).to.equal(await LOCAL.signTransaction(TRANSACTION))
    expect(await remote.signTypedData(AUTHORIZATION)).to.equal(await LOCAL.signTypedData(AUTHORIZATION))
    for (const message of ['ünï', { raw: '0x00ff' }] as const) {
      expect(await remote.signMessage({ message })).to.equal(await LOCAL.signMessage({ message }))
    }
  })

  it('signs in the form that tokens take, whatever form the signer has', async () => {
    const truth = await LOCAL.signTypedData(AUTHORIZATION)
    signer.twist = (signature) => `${slice(signature, 0, 64)}${signature.endsWith('1b') ? '00' : '01'}\n`
    expect(await remote.signTypedData(AUTHORIZATION)).to.equal(truth)
    signer.twist = (signature) => {
      const s = (CURVE_ORDER - BigInt(slice(signature, 32, 64))).toString(16).padStart(64, '0')
      return `${slice(signature, 0, 32)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
    }
    expect(await remote.signTypedData(AUTHORIZATION)).to.equal(truth)
  })

  it('is asked with the name and password of its address, which go into a header', async () => {
    const named = signer.url.replace('http://', 'http://market:p%40ss@')
    await remoteSigner(named)(LOCAL.address).signMessage({ message: 'one' })
    expect(signer.authorization).to.equal(`Basic ${Buffer.from('market:p@ss').toString('base64')}`)
  })

  it('believes no signature that is not its own of these bytes [risk remote-signer]', async () => {
    signer.twist = async () => OTHER.signTypedData(AUTHORIZATION)
    expect(await failure(remote.signTypedData(AUTHORIZATION))).to.contain('not one by')
    signer.twist = async () => LOCAL.signMessage({ message: 'another' })
    expect(await failure(remote.signTransaction(TRANSACTION))).to.contain('not one by')
    for (const told of ['', 'null', '0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, 'x'.repeat(1_000)] as Hex[]) {
      signer.twist = () => told
      expect(await failure(remote.signMessage({ message: 'one' })), told).to.match(/something else|not one by/)
    }
  })

  it('says what is wrong, and never the address of the signer [risk remote-signer]', async () => {
    const named = 'http://user:secret@127.0.0.1:1'
    const messages = [
      await failure(remoteSigner(signer.url)(OTHER.address).signMessage({ message: 'one' })),
      await failure(remoteSigner(named)(LOCAL.address).signMessage({ message: 'one' })),
      await failure(requireRemoteKeys(named, [LOCAL])),
    ]
    signer.twist = () => undefined
    messages.push(await failure(remote.signMessage({ message: 'one' })))
    expect(messages[0]).to.contain(`the signer has no key of ${OTHER.address}`)
    expect(messages[1]).to.contain('does not answer')
    expect(messages[2]).to.contain('does not answer')
    expect(messages[3]).to.contain('status 503')
    expect(messages.join()).to.not.contain('127.0.0.1').and.not.contain('secret')
  })

  it('finds a key that was loaded later', async () => {
    const late = await startWeb3signer([])
    const account = remoteSigner(late.url)(LOCAL.address)
    try {
      expect(await failure(account.signMessage({ message: 'one' }))).to.contain('has no key')
      expect(await failure(requireRemoteKeys(late.url, [OTHER, account]))).to.contain(LOCAL.address)
      late.load(KEY)
      await requireRemoteKeys(late.url, [OTHER, account])
      expect(await account.signMessage({ message: 'one' })).to.equal(await LOCAL.signMessage({ message: 'one' }))
    } finally {
      await late.stop()
    }
  })
})
