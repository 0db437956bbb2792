import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Hex, isAddressEqual, recoverTypedDataAddress } from 'viem'
import { canonicalJson, sha256Hex } from '../../protocol/encoding/canonical.ts'
import type { ChainContext, Location } from '../context/chain.ts'
import type { PayoutAuthorization } from '../context/records.ts'

/** The place of an entry in the file: its number, counted from 1, and its hash. */
export interface Place {
  number: bigint
  hash: Hex
}

/** The content of an entry. */
export type Content =
  | { kind: 'authorization'; authorization: PayoutAuthorization }
  /**
   * From this entry on, this copy of the database wrote the file, and the hot wallet signs from a given time
   * (unix seconds).
   */
  | { kind: 'identity'; identity: string; signsFrom: bigint }

/**
 * An entry of the file. `previous` is the hash of the entry before, `seal` the hot wallet's signature of the
 * place.
 */
export type Entry<Of extends Content = Content> = Place & { previous: Hex; seal: Hex; content: Of }

/** Before the first entry. */
export const START: Place = { number: 0n, hash: `0x${'00'.repeat(32)}` }

/** Whose file it is. */
export interface FileOwner {
  at: Pick<Location, 'chainId' | 'token' | 'hotWallet'>
}

const SEAL_TYPES = {
  Entry: [
    { name: 'number', type: 'uint256' },
    { name: 'hash', type: 'bytes32' },
  ],
} as const

/** Returns the entry after a place, sealed. */
export async function nextEntry<Of extends Content>(
  owner: Pick<ChainContext, 'at' | 'hotWallet'>,
  { number, hash }: Place,
  content: Of,
): Promise<Entry<Of>> {
  const unsealed = { number: number + 1n, previous: hash, content }
  const place = { number: unsealed.number, hash: hashOf(owner, unsealed) }
  return { ...unsealed, ...place, seal: await owner.hotWallet.signTypedData(sealOf(owner, place)) }
}

/** Pages of rows before a place, newest first; an empty page ends them. */
export interface FilePages {
  entriesBefore: (place: Place) => Promise<Entry[]>
  identitiesBefore: (place: Place) => Promise<Entry[]>
}

/** The entries of a file that could be verified, read back from the newest. */
export interface ReadFile {
  /** The newest entry; undefined in a file without any. */
  head: Entry | undefined
  /** The oldest entry of the chain that was read. */
  bottom: bigint
  /**
   * Whether the chain of entries goes from the newest back to the newest identity, or as far as was read, and
   * does not fork.
   */
  isChained: boolean
  /** The newest identity. */
  identity: Entry<Content & { kind: 'identity' }> | undefined
  /** Whether an entry is in the chain. */
  has: (place: Place) => boolean
  authorizations: PayoutAuthorization[]
  /** The highest number of a row, of ours or not. */
  newest: bigint
  /** Whether reading ended at too many rows that the hot wallet's key did not seal. */
  isCut: boolean
  foreign: number
}

/** Before this place is every row that a number of ours could have. */
const END: Place = { number: 2n ** 63n - 1n, hash: '0x' }
/** After so many rows that the key did not seal, which take a second or two to verify, no more are read. */
export const MOST_FOREIGN = 1_000

/**
 * Reads the file from the newest row back to an authorization that was over at a time (unix seconds). Rows
 * that the hot wallet's key did not seal are left out and counted.
 */
export async function readChain(owner: FileOwner, pages: FilePages, after: bigint): Promise<ReadFile> {
  const isOurs = verifier(owner)
  const { entries, lowest, ...scan } = await scanBack(pages.entriesBefore, isOurs, (entry) => isOver(entry, after))
  const chain = chainOf(entries)
  const bottom = chain.at(-1)?.number ?? 0n
  let [identity, foreign] = [entries.find(isIdentity), scan.foreign]
  if (!identity && !scan.isCut) {
    const older = await scanBack(pages.identitiesBefore, isOurs, isIdentity, { number: lowest, hash: '0x' })
    identity = older.entries.find(isIdentity)
    foreign += older.foreign
  }
  const reach = identity && identity.number > lowest ? identity.number : lowest
  const names = new Set(chain.map(nameOf))
  const isRead = !scan.isCut || (identity !== undefined && identity.number > lowest)
  const isFork = entries.some((entry) => entry.number >= reach && !names.has(nameOf(entry)))
  return {
    ...{ head: chain[0], bottom, identity, foreign, newest: scan.newest, isCut: !isRead },
    isChained: isRead && bottom <= reach && !isFork,
    has: (place) => names.has(nameOf(place)),
    authorizations: entries.flatMap(authorizationOf),
  }
}

/** Returns the authorization of an entry, if it is one. */
export function authorizationOf({ content }: Entry): PayoutAuthorization[] {
  return content.kind === 'authorization' ? [content.authorization] : []
}

/** Returns those of some rows that the hot wallet's key sealed. */
export async function sealedRows(owner: FileOwner, rows: readonly Entry[]): Promise<Entry[]> {
  const isOurs = verifier(owner)
  const sealed: Entry[] = []
  for (const row of rows) if (await isOurs(row)) sealed.push(row)
  return sealed
}

/** Returns a function that verifies rows, newest first: one seal proves all entries before it. */
function verifier(owner: FileOwner): (row: Entry) => Promise<boolean> {
  const proved = new Set<string>()
  return async (row) => {
    if (hashOf(owner, row) !== row.hash) return false
    if (!proved.delete(nameOf(row))) {
      // A seal takes about a millisecond to verify: the lease of the keys is extended in between.
      await yieldToOthers()
      if (!(await isSealed(owner, row))) return false
    }
    proved.add(nameOf({ number: row.number - 1n, hash: row.previous }))
    return true
  }
}

/**
 * Verifies page after page until an entry is the last one wanted. `lowest` is the number down to which all
 * rows were read.
 */
async function scanBack(
  pageBefore: FilePages['entriesBefore'],
  isOurs: (row: Entry) => Promise<boolean>,
  isLast: (entry: Entry) => boolean,
  from = END,
) {
  const entries: Entry[] = []
  let [newest, foreign] = [0n, 0]
  for await (const row of rowsBefore(pageBefore, from)) {
    if (row.number > newest) newest = row.number
    const isEntry = await isOurs(row)
    if (isEntry) entries.push(row)
    else foreign++
    const isCut = foreign >= MOST_FOREIGN
    if (isCut || (isEntry && isLast(row))) return { entries, lowest: row.number, newest, foreign, isCut }
  }
  return { entries, lowest: 0n, newest, foreign, isCut: false }
}

async function* rowsBefore(pageBefore: FilePages['entriesBefore'], from: Place): AsyncGenerator<Entry> {
  for (let page = await pageBefore(from); page.length > 0; page = await pageBefore(page.at(-1) ?? from)) yield* page
}

/** Returns the newest of some entries, which come newest first, and those before it in the hash chain. */
function chainOf(entries: readonly Entry[]): Entry[] {
  const chain: Entry[] = []
  let next: string | undefined
  for (const entry of entries) {
    if (next !== undefined && nameOf(entry) !== next) continue
    chain.push(entry)
    next = nameOf({ number: entry.number - 1n, hash: entry.previous })
  }
  return chain
}

function isOver({ content }: Entry, after: bigint): boolean {
  return content.kind === 'authorization' && content.authorization.validBefore <= after
}

function isIdentity(entry: Entry): entry is Entry<Content & { kind: 'identity' }> {
  return entry.content.kind === 'identity'
}

function nameOf({ number, hash }: Place): string {
  return `${number}:${hash}`
}

function hashOf({ at }: FileOwner, { number, previous, content }: Pick<Entry, 'number' | 'previous' | 'content'>): Hex {
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

async function isSealed(owner: FileOwner, row: Entry): Promise<boolean> {
  try {
    const signer = await recoverTypedDataAddress({ ...sealOf(owner, row), signature: row.seal })
    return isAddressEqual(signer, owner.at.hotWallet)
  } catch {
    return false
  }
}

/**
 * A separate signing domain: a seal is not valid as an authorization of the token, and an authorization is
 * not valid as a seal.
 */
function sealOf({ at }: FileOwner, { number, hash }: Place) {
  const domain = { name: 'Market facilitator file', version: '1', chainId: at.chainId, verifyingContract: at.token }
  return { domain, types: SEAL_TYPES, primaryType: 'Entry', message: { number, hash } } as const
}
