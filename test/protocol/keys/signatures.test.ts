import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, hashTypedData, numberToHex, serializeErc6492Signature, slice, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { revertReason } from '../../../facilitator/chain/reasons.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { isSignedBy, type SignedDigest } from '../../../protocol/keys/signatures.ts'
import {
  type Authorization,
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  type TokenDomain,
  transferAuthorizationTypedData,
} from '../../../protocol/payments/authorization.ts'
import { deploySignerWallet } from '../../kit/api/identity/wallets/signerWallet.ts'
import { deployWalletFactory, futureWallet } from '../../kit/chain/futureWallet.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { freeAccount, mined, mintUsdc, roleAccount } from '../../kit/chain/payments.ts'
import { AGREEING, REFUSING } from '../../kit/chain/walletCode.ts'

const VALUE = 1_000_000n
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const OTHER: Address = '0x5555555555555555555555555555555555555555'
/** Whatever a wallet is asked about. */
const ANYTHING: Hex = `0x${'11'.repeat(65)}`

// Each is put to the token as well: what we think of a signature is worth nothing where the token thinks
// otherwise.
describe('whose signature an authorization carries, as the token has it', { timeout: 120_000 }, () => {
  const payer = freeAccount(0)
  let chain: TestChain
  let domain: TokenDomain
  let message: Authorization
  let fair: Hex

  before(async () => {
    chain = await startChain()
    domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
    await mintUsdc(chain, payer.address, 10n * VALUE)
    const { timestamp } = await chain.client.getBlock()
    const to = chain.accounts.hotWallet.address
    const times = { validAfter: 0n, validBefore: timestamp + 86_400n }
    message = { from: payer.address, to, value: VALUE, nonce: numberToHex(1, { size: 32 }), ...times }
    fair = await payer.signTypedData(transferAuthorizationTypedData(domain, message))
  })
  after(() => chain.stop())

  const isSigned = async ({ signature, ...signed }: SignedAuthorization) => {
    const digest = hashTypedData(transferAuthorizationTypedData(domain, signed))
    return isSignedBy(chain.client, { account: signed.from, digest, signature }, [])
  }
  /** What the token answers: nothing, or why it refuses. */
  const tokenRefuses = async ({ from, to, value, validAfter, validBefore, nonce, signature }: SignedAuthorization) => {
    try {
      await chain.client.simulateContract({
        ...{ account: roleAccount(chain, 'submitter'), address: chain.token, abi: tokenAbi },
        ...{ functionName: 'transferWithAuthorization', gas: 1_000_000n },
        args: [from, to, value, validAfter, validBefore, nonce, signature],
      })
      return undefined
    } catch (error) {
      return revertReason(error)
    }
  }
  const expectRefused = async (changes: Partial<SignedAuthorization>) => {
    const presented = { ...message, signature: fair, ...changes }
    expect(await isSigned(presented), 'ours').to.equal(false)
    expect(await tokenRefuses(presented), "the token's").to.equal('signature_invalid')
  }
  const expectTaken = async (changes: Partial<SignedAuthorization>) => {
    const presented = { ...message, signature: fair, ...changes }
    expect(await tokenRefuses(presented), "the token's").to.equal(undefined)
    expect(await isSigned(presented), 'ours').to.equal(true)
  }
  const signedIn = (changes: Partial<TokenDomain>) =>
    payer.signTypedData(transferAuthorizationTypedData({ ...domain, ...changes }, message))
  const newWallet = async (code: Hex): Promise<Address> => {
    const address = privateKeyToAccount(
      `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`,
    ).address
    await chain.client.setCode({ address, bytecode: code })
    await mintUsdc(chain, address, VALUE)
    return address
  }
  const delegate = async (contractAddress: Address) => {
    const authorization = await chain.client.signAuthorization({ account: payer, contractAddress })
    const account = roleAccount(chain, 'submitter')
    const sent = { account, to: account.address, authorizationList: [authorization], gas: 200_000n }
    await mined(chain, chain.client.sendTransaction(sent))
  }

  test('is the payer’s where its key signed just this', () => expectTaken({}))

  const forms: [string, () => Hex][] = [
    ['v of 0 or 1 [risk high-s]', () => joined({ v: v(fair) - 27n })],
    ['v of 29', () => joined({ v: 29n })],
    ['v of 37 or 38 (EIP-155) [risk signature-v]', () => joined({ v: v(fair) + 10n })],
    ['0 bytes', () => '0x'],
    ['v of 255', () => joined({ v: 255n })],
    ['the other v [risk signature-v]', () => joined({ v: 55n - v(fair) })],
    ['the mirrored signature [risk high-s]', () => joined({ s: CURVE_ORDER - s(fair), v: 55n - v(fair) })],
    ['an s that is half the order and one', () => joined({ s: CURVE_ORDER / 2n + 1n })],
    ['an s of 0', () => joined({ s: 0n })],
    ['an r of 0', () => joined({ r: 0n })],
    ['an r that is the order [risk invalid-r-s]', () => joined({ r: CURVE_ORDER })],
    ['an r of 2^256 - 1', () => joined({ r: 2n ** 256n - 1n })],
    ['64 bytes (EIP-2098) [risk signature-length]', () => packed()],
    ['64 bytes, cut off', () => slice(fair, 0, 64)],
    ['66 bytes', () => `${fair}00`],
    ['one byte', () => '0x1b'],
    ['8 KiB', () => `0x${'1b'.repeat(8192)}`],
    ['itself in an ERC-6492 wrapper', () => wrapped(fair)],
    ['itself in two ERC-6492 wrappers [risk wrapped-account]', () => wrapped(wrapped(fair))],
    ['an ERC-6492 wrapper around nothing', () => `0x${'6492'.repeat(16)}`],
    [
      'an ERC-6492 wrapper that points beyond its end [risk wrapped-account]',
      () => `0x${'ff'.repeat(96)}${'6492'.repeat(16)}`,
    ],
  ]
  for (const [name, signature] of forms) test(`is nobody’s: ${name}`, () => expectRefused({ signature: signature() }))

  const others: [string, () => Promise<Hex>][] = [
    ['somebody else’s key', () => freeAccount(1).signTypedData(transferAuthorizationTypedData(domain, message))],
    ['for another chain', () => signedIn({ chainId: 1 })],
    ['for another token', () => signedIn({ verifyingContract: OTHER })],
    ['for another name of the token [risk other-domain]', () => signedIn({ name: 'USDC ' })],
    ['for another version of the token', () => signedIn({ version: '1' })],
    ['as ReceiveWithAuthorization', () => payer.signTypedData(receiveAuthorizationTypedData(domain, message))],
    [
      'as a message that holds the digest [risk personal-message]',
      () => payer.signMessage({ message: { raw: hashTypedData(transferAuthorizationTypedData(domain, message)) } }),
    ],
  ]
  for (const [name, sign] of others) {
    test(`is not the payer’s: signed ${name}`, async () => expectRefused({ signature: await sign() }))
  }

  const changed: [string, () => Partial<SignedAuthorization>][] = [
    ['a unit more', () => ({ value: VALUE + 1n })],
    ['to somebody else', () => ({ to: chain.escrow })],
    ['for ever', () => ({ validBefore: 2n ** 256n - 1n })],
    ['from a moment later', () => ({ validAfter: 1n })],
    ['under another nonce', () => ({ nonce: numberToHex(2, { size: 32 }) })],
    ['from nobody (the zero address)', () => ({ from: zeroAddress })],
    [
      'from nobody, by a signature that recovers nobody [risk invalid-r-s]',
      () => ({ from: zeroAddress, signature: joined({ r: 0n }) }),
    ],
    ['from a precompile [risk nobody-pays]', () => ({ from: numberToHex(4, { size: 20 }) })],
    ['from the escrow', () => ({ from: chain.escrow })],
    ['from the hot wallet [risk service-pays]', () => ({ from: chain.accounts.hotWallet.address })],
  ]
  for (const [name, changes] of changed) {
    test(`is not for what was changed afterwards: ${name}`, () => expectRefused(changes()))
  }

  for (const [name, code] of Object.entries(AGREEING)) {
    test(`is a contract wallet’s that says yes ${name}`, async () => {
      await expectTaken({ from: await newWallet(code), signature: ANYTHING })
    })
  }

  for (const [name, code] of Object.entries(REFUSING)) {
    test(`is not a contract wallet’s that ${name} [risk wallet-answers]`, async () => {
      await expectRefused({ from: await newWallet(code), signature: ANYTHING })
    })
  }

  test('is that of an account’s code and not of its key, while it has delegated (EIP-7702) [risk EIP-7702]', async () => {
    await delegate(await deploySignerWallet(chain, OTHER))
    await expectRefused({})
    await delegate(await deploySignerWallet(chain, payer.address))
    await expectTaken({})
    await delegate(zeroAddress)
    await expectTaken({})
  })

  test('is a future wallet’s that its owner signed for, where its factory is one of ours', async () => {
    const factory = await deployWalletFactory(chain)
    const wallet = await futureWallet(chain, factory, payer)
    const { signature, ...signed } = await wallet.signTransfer({ ...message, from: wallet.address })
    const digest = hashTypedData(transferAuthorizationTypedData(domain, signed))
    const isIts = (factories: readonly Address[], changes: Partial<SignedDigest> = {}) =>
      isSignedBy(chain.client, { account: wallet.address, digest, signature, ...changes }, factories)
    expect(await isIts([OTHER, factory])).to.equal(true)
    expect(await isIts([OTHER])).to.equal(false)
    expect(await isIts([factory], { digest: numberToHex(1, { size: 32 }) })).to.equal(false)
    expect(await isIts([factory], { account: OTHER })).to.equal(false)
  })

  /** The payer's signature with parts exchanged. */
  function joined(parts: { r?: bigint; s?: bigint; v?: bigint }): Hex {
    const hex = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
    return `0x${hex(parts.r ?? r(fair), 32)}${hex(parts.s ?? s(fair), 32)}${hex(parts.v ?? v(fair), 1)}`
  }

  function packed(): Hex {
    const yParityAndS = s(fair) + ((v(fair) - 27n) << 255n)
    return `${slice(fair, 0, 32)}${numberToHex(yParityAndS, { size: 32 }).slice(2)}`
  }
})

const r = (signature: Hex) => BigInt(slice(signature, 0, 32))
const s = (signature: Hex) => BigInt(slice(signature, 32, 64))
const v = (signature: Hex) => BigInt(slice(signature, 64))

/** In a wrapper whose factory deploys nothing. */
function wrapped(signature: Hex): Hex {
  return serializeErc6492Signature({ address: OTHER, data: '0x', signature })
}
