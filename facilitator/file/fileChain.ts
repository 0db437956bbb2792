import { type Hex, isAddressEqual, recoverTypedDataAddress } from 'viem'
import { canonicalJson, sha256Hex } from '../../protocol/encoding/canonical.ts'
import type { ChainContext } from '../context/chain.ts'
import type { PayoutAuthorization } from '../context/records.ts'

/** The place of an entry in the file: its number, counted from 1, and its hash. */
export interface Place {
  number: bigint
  hash: Hex
}

/** The content of an entry. */
export type Content =
  | { kind: 'authorization'; authorization: PayoutAuthorization }
  /** From this entry on, this copy of the database wrote the file, and the hot wallet signs from a given time (unix seconds). */
  | { kind: 'identity'; identity: string; signsFrom: bigint }

/** An entry of the file. `previous` is the hash of the entry before, `seal` the hot wallet's signature of the place. */
export type Entry<Of extends Content = Content> = Place & { previous: Hex; seal: Hex; content: Of }

/** Before the first entry. */
export const START: Place = { number: 0n, hash: `0x${'00'.repeat(32)}` }

type Owner = Pick<ChainContext, 'at' | 'hotWallet'>

const SEAL_TYPES = {
  Entry: [
    { name: 'number', type: 'uint256' },
    { name: 'hash', type: 'bytes32' },
  ],
} as const

/** Returns the entry after a place, sealed. */
export async function nextEntry<Of extends Content>(
  owner: Owner,
  { number, hash }: Place,
  content: Of,
): Promise<Entry<Of>> {
  const unsealed = { number: number + 1n, previous: hash, content }
  const place = { number: unsealed.number, hash: hashOf(owner, unsealed) }
  return { ...unsealed, ...place, seal: await owner.hotWallet.signTypedData(sealOf(owner, place)) }
}

/** The entries of a file that could be verified, read back from the newest. */
export interface ReadFile {
  /** The newest entry; undefined in a file without any. */
  head: Entry | undefined
  /** Whether the chain of entries goes from the newest back to the newest identity, or as far as was read, and does not fork. */
  isChained: boolean
  /** The newest identity. */
  identity: Entry<Content & { kind: 'identity' }> | undefined
  /** Whether an entry is in the chain. */
  has: (place: Place) => boolean
  authorizations: PayoutAuthorization[]
}

/**
 * Returns the file that these rows form. All rows from the number `lowest` on were read. Rows that the hot wallet's key did not
 * seal are left out and reported.
 */
export async function readChain(
  owner: Owner,
  rows: readonly Entry[],
  lowest: bigint,
  report: (row: Entry) => void,
): Promise<ReadFile> {
  const byPlace = new Map<string, Entry>()
  for (const row of rows) if (hashOf(owner, row) === row.hash) byPlace.set(nameOf(row), row)
  const { chain, strays } = await sealedOf(owner, byPlace)
  const entries = new Set([...chain.values(), ...strays])
  for (const row of rows) if (!entries.has(row)) report(row)
  return { ...fileOf([...chain.values()], strays, lowest), has: (place) => chain.has(nameOf(place)) }
}

/** Returns the newest sealed entry and the entries before it, newest first, and the other sealed entries. */
async function sealedOf(owner: Owner, byPlace: ReadonlyMap<string, Entry>) {
  const chain = new Map<string, Entry>()
  const strays: Entry[] = []
  for (const row of falling(byPlace.values())) {
    if (chain.has(nameOf(row)) || !(await isSealed(owner, row))) continue
    // One seal proves all entries before it.
    if (chain.size === 0) for (const entry of before(row, byPlace)) chain.set(nameOf(entry), entry)
    else strays.push(row)
  }
  return { chain, strays }
}

/** Returns the file formed by a chain of entries, newest first, and by sealed entries outside the chain. */
function fileOf(chain: readonly Entry[], strays: readonly Entry[], lowest: bigint): Omit<ReadFile, 'has'> {
  const entries = [...chain, ...strays]
  const [identity] = falling(entries.filter(isIdentity))
  const reach = identity && identity.number > lowest ? identity.number : lowest
  const bottom = chain.at(-1)?.number ?? 0n
  return {
    head: chain[0],
    isChained: bottom <= reach && strays.every(({ number }) => number < reach),
    identity,
    authorizations: entries.flatMap(({ content }) => (content.kind === 'authorization' ? [content.authorization] : [])),
  }
}

/** An entry and the entries before it in the hash chain, newest first. */
function before(entry: Entry, byPlace: ReadonlyMap<string, Entry>): Entry[] {
  const found: Entry[] = []
  for (let at: Entry | undefined = entry; at; at = byPlace.get(nameOf({ number: at.number - 1n, hash: at.previous })))
    found.push(at)
  return found
}

function falling<Row extends Place>(rows: Iterable<Row>): Row[] {
  return [...rows].sort((one, other) => (one.number > other.number ? -1 : 1))
}

function isIdentity(entry: Entry): entry is Entry<Content & { kind: 'identity' }> {
  return entry.content.kind === 'identity'
}

function nameOf({ number, hash }: Place): string {
  return `${number}:${hash}`
}

function hashOf({ at }: Owner, { number, previous, content }: Pick<Entry, 'number' | 'previous' | 'content'>): Hex {
  return `0x${sha256Hex(canonicalJson({ number: number.toString(), previous, ...wordsOf(content), wallet: at.hotWallet }))}`
}

function wordsOf(content: Content): Record<string, string> {
  if (content.kind === 'identity') return { identity: content.identity, signsFrom: content.signsFrom.toString() }
  const { nonce, leg, validBefore, recipient, amountMicros, signature } = content.authorization
  return {
    ...{ nonce, leg, signature, recipient: recipient.toLowerCase() },
    ...{ validBefore: validBefore.toString(), amountMicros: amountMicros.toString() },
  }
}

async function isSealed(owner: Owner, row: Entry): Promise<boolean> {
  try {
    const signer = await recoverTypedDataAddress({ ...sealOf(owner, row), signature: row.seal })
    return isAddressEqual(signer, owner.at.hotWallet)
  } catch {
    return false
  }
}

/** A separate signing domain: a seal is not valid as an authorization of the token, and an authorization is not valid as a seal. */
function sealOf({ at }: Owner, { number, hash }: Place) {
  const domain = { name: 'Market facilitator file', version: '1', chainId: at.chainId, verifyingContract: at.token }
  return { domain, types: SEAL_TYPES, primaryType: 'Entry', message: { number, hash } } as const
}
