import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  randomUUID,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { type Address, bytesToHex, concat, type Hex, hexToBytes, keccak256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

const KEY_BYTES = 32
// The cost that geth and wallets use: a quarter of a gigabyte and about a second per guess.
const STRONG = { n: 262_144, r: 8, p: 1 }
const MAX_MEMORY_BYTES = 2 ** 30

const hex = (bytes?: number) =>
  z
    .string()
    .regex(bytes ? new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`) : /^(?:[0-9a-fA-F]{2})+$/, 'must be hex')
    .transform((text) => hexToBytes(`0x${text}`))
const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n))

const encrypted = z.object({
  cipher: z.literal('aes-128-ctr'),
  cipherparams: z.object({ iv: hex(16) }),
  ciphertext: hex(KEY_BYTES),
  kdf: z.literal('scrypt'),
  kdfparams: z
    .object({
      n: z.int().min(2).refine(isPowerOfTwo, 'must be a power of two'),
      r: z.int().min(1),
      p: z.int().min(1).max(64),
      dklen: z.literal(KEY_BYTES),
      salt: hex(),
    })
    .refine(({ n, r }) => 128 * n * r <= MAX_MEMORY_BYTES, 'must not need more than a gigabyte'),
  mac: hex(KEY_BYTES),
})
// ethers writes `Crypto` in upper case.
const keystore = z
  .object({ version: z.literal(3), crypto: encrypted.optional(), Crypto: encrypted.optional() })
  .transform((file) => file.crypto ?? file.Crypto)

/** A keystore that cannot be opened. The message gives the reason, and does not show the content. */
export class KeystoreError extends Error {}

/** Costs of scrypt (RFC 7914): memory and time grow with n and r, time with p. */
export type ScryptCost = typeof STRONG

/**
 * Opens a keystore of the Web3 Secret Storage format, version 3, with scrypt and AES-128-CTR. Returns the
 * private key. Throws KeystoreError for a file of another form, and for a wrong password or a changed file,
 * which are indistinguishable.
 */
export async function openKeystore(text: string, password: string): Promise<Hex> {
  const { ciphertext, cipherparams, kdfparams, mac } = parse(text)
  const { n, r, p, salt } = kdfparams
  const derived = await stretch(password, salt, { n, r, p })
  if (!timingSafeEqual(macOf(derived, ciphertext), mac)) {
    throw new KeystoreError('the password is wrong, or the file was changed')
  }
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), cipherparams.iv)
  return bytesToHex(Buffer.concat([decipher.update(ciphertext), decipher.final()]))
}

/**
 * Returns a private key as such a keystore. Its address shows people which key it is. Throws KeystoreError
 * for an invalid private key.
 */
export async function createKeystore(key: Hex, password: string, cost: ScryptCost = STRONG): Promise<string> {
  const address = addressOf(key)
  const [salt, iv] = [randomBytes(KEY_BYTES), randomBytes(16)]
  const derived = await stretch(password, salt, cost)
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(hexToBytes(key)), cipher.final()])
  return JSON.stringify({
    version: 3,
    id: randomUUID(),
    address: address.slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { ...cost, dklen: KEY_BYTES, salt: salt.toString('hex') },
      mac: Buffer.from(macOf(derived, ciphertext)).toString('hex'),
    },
  })
}

function addressOf(key: Hex): Address {
  try {
    return privateKeyToAddress(key)
  } catch {
    // The original error's message would quote the key.
    throw new KeystoreError('this is no private key')
  }
}

async function stretch(password: string, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> {
  try {
    return await derive(password, salt, KEY_BYTES, { N: n, r, p, maxmem: 2 * MAX_MEMORY_BYTES })
  } catch {
    throw new KeystoreError('scrypt does not take these kdfparams')
  }
}

function parse(text: string): z.output<typeof encrypted> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new KeystoreError('the file is not JSON')
  }
  const parsed = keystore.safeParse(json)
  if (parsed.success && parsed.data) return parsed.data
  const member = parsed.error?.issues[0]?.path.join('.') || 'crypto'
  throw new KeystoreError(`the file is no keystore of version 3 with scrypt: ${member} is wrong or missing`)
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return keccak256(concat([derived.subarray(16, KEY_BYTES), ciphertext]), 'bytes')
}
