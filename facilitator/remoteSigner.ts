import {
  type Address,
  concatHex,
  domainSeparator,
  type Hex,
  hashStruct,
  keccak256,
  type LocalAccount,
  parseSignature,
  type SignableMessage,
  serializeTransaction,
  type TypedData,
  type TypedDataDefinition,
  toPrefixedMessage,
} from 'viem'
import { publicKeyToAddress, toAccount } from 'viem/accounts'
import { z } from 'zod'
import { normalizeSignature } from '../protocol/keys/signatureForms.ts'
import { isSignedByKey } from '../protocol/keys/signatures.ts'

const TIMEOUT_MS = 10_000
/** The prefix of an uncompressed point, which web3signer leaves out (SEC 1, 2.3.3). */
const UNCOMPRESSED = '0x04'

/**
 * The signer did not give the signature. The message says why, without the signer's address, which may
 * contain a secret.
 */
class SignerFault extends Error {}

const publicKeys = z.array(z.string().regex(/^0x[0-9a-fA-F]{128}$/))
const signatureText = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{130}$/)

/**
 * Returns accounts whose keys a remote signer holds. It speaks the `eth1` protocol of web3signer: `GET
 * /api/v1/eth1/publicKeys`, and `POST /api/v1/eth1/sign/{public key}`, which signs the Keccak-256 hash of the
 * bytes that it is given. The answer counts only if it is the account's signature of exactly those bytes.
 * Every signature throws a SignerFault where the signer gives none.
 */
export function remoteSigner(url: string): (address: Address) => LocalAccount {
  const base = new URL(url)
  let identifiers: Promise<ReadonlyMap<Address, string>> | undefined
  const identifierOf = async (address: Address) => {
    identifiers ??= readIdentifiers(base)
    // A failed read is repeated, and so is one that knew no such key: it may be loaded since.
    const known = identifiers
    const forget = () => {
      if (identifiers === known) identifiers = undefined
    }
    const identifier = (
      await known.catch((error) => {
        forget()
        throw error
      })
    ).get(address)
    if (identifier !== undefined) return identifier
    forget()
    throw new SignerFault(`the signer has no key of ${address}`)
  }
  return (address) => {
    const sign = async (bytes: Hex) => {
      const answer = await ask(base, `api/v1/eth1/sign/${await identifierOf(address)}`, { data: bytes })
      const read = signatureText.safeParse(answer)
      if (!read.success) throw new SignerFault('the signer answered something else than a signature')
      const signed = { account: address, digest: keccak256(bytes), signature: read.data as Hex }
      const signature = await normalizeSignature(signed)
      if (!(await isSignedByKey({ ...signed, signature }))) {
        throw new SignerFault(`the signer answered with a signature that is not one by ${address}`)
      }
      return signature
    }
    return toAccount({
      address,
      signMessage: ({ message }: { message: SignableMessage }) => sign(toPrefixedMessage(message)),
      signTypedData: async (typedData) => sign(typedBytes(typedData as TypedDataDefinition)),
      signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
        const signature = await sign(await serializer(transaction))
        return serializer(transaction, parseSignature(signature))
      },
    })
  }
}

/**
 * Checks that the signer holds the keys of all accounts that are its own; local ones are none of its concern.
 * Throws a SignerFault that names the first key that it lacks.
 */
export async function requireRemoteKeys(url: string, accounts: readonly LocalAccount[]): Promise<void> {
  const held = await readIdentifiers(new URL(url))
  const lacking = accounts.find(({ source, address }) => source === 'custom' && !held.has(address))
  if (lacking) throw new SignerFault(`the signer has no key of ${lacking.address}`)
}

/** The bytes whose hash is the digest of typed data (EIP-712). */
function typedBytes({ domain = {}, types, primaryType, message }: TypedDataDefinition): Hex {
  const separator = domainSeparator({ domain })
  return concatHex(['0x1901', separator, hashStruct({ types: types as TypedData, primaryType, data: message })])
}

async function readIdentifiers(base: URL): Promise<ReadonlyMap<Address, string>> {
  const read = publicKeys.safeParse(jsonOf(await ask(base, 'api/v1/eth1/publicKeys')))
  if (!read.success) throw new SignerFault('the signer answered something else than public keys')
  return new Map(read.data.map((key) => [publicKeyToAddress(concatHex([UNCOMPRESSED, key as Hex])), key]))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function ask(base: URL, path: string, body?: object): Promise<string> {
  const { username, password } = base
  const url = new URL(base)
  Object.assign(url, {
    username: '',
    password: '',
    search: '',
    hash: '',
    pathname: `${base.pathname.replace(/\/$/, '')}/${path}`,
  })
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const headers = { 'content-type': 'application/json', ...(username ? { authorization: `Basic ${credentials}` } : {}) }
  const content = body && { method: 'POST', body: JSON.stringify(body) }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(url, { ...content, headers, redirect: 'error', signal })
    if (!answer.ok) throw new SignerFault(`the signer answered with status ${answer.status}`)
    return await answer.text()
  } catch (error) {
    // Not the message of fetch, which may contain the address.
    throw error instanceof SignerFault ? error : new SignerFault('the signer does not answer')
  }
}
