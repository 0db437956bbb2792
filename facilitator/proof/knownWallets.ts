import { type Address, isAddressEqual, recoverMessageAddress } from 'viem'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { WalletSight } from '../context/records.ts'
import type { Pass } from '../evidence/pass.ts'
import { MAX_WALLET_ROWS } from '../file/walletSights.ts'

/** What the wallets of an owner are judged by. */
export type Knowing = Pick<Pass, 'store' | 'head' | 'hotWallet' | 'log' | 'at'>

/** The wallets of an owner that the facilitator has seen. Addresses are in lower case. */
export interface SightedWallets {
  /** The wallet that was seen first. */
  first: Address | undefined
  /** The time from which each wallet counts (unix seconds). */
  dueAt: ReadonlyMap<Address, bigint>
  /**
   * Whether a wallet was seen for which no chain of hand-overs begins at the first one. No wallet then
   * counts.
   */
  areDisputed: boolean
  sights: readonly WalletSight[]
}

/**
 * Returns whether a wallet counts as an owner's: it was seen bound to them longer ago than the delay, and it
 * is their first one or each further one was handed over by one that counts. Anybody can bind a wallet of
 * their own to any account, so of two wallets without a hand-over neither counts.
 */
export async function isKnownWallet(pass: Knowing, ownerId: string, wallet: Address): Promise<boolean> {
  const { dueAt, areDisputed } = await readSightedWallets(pass, ownerId)
  const due = dueAt.get(lower(wallet))
  return !areDisputed && due !== undefined && due <= pass.head.earlierTime
}

/** Returns the wallets of an owner by the rows that the hot wallet signed. */
export async function readSightedWallets(pass: Knowing, ownerId: string): Promise<SightedWallets> {
  const rows = await pass.store.walletSights(ownerId)
  // Too many to be told apart, so nothing is proved until the database's owner has removed the false ones.
  if (rows.length > MAX_WALLET_ROWS) return { first: undefined, dueAt: new Map(), areDisputed: true, sights: [] }
  const sights: WalletSight[] = []
  for (const row of rows) if (await isOurSight(row, pass.at, pass.hotWallet.address)) sights.push(row)
  const ignored = rows.length - sights.length
  if (ignored > 0) pass.log.error({ alarm: true, owner: urnString('human', ownerId), ignored }, FOREIGN)
  return judge(sights)
}

function judge(sights: readonly WalletSight[]): SightedWallets {
  const [earliest] = sights.toSorted((one, other) =>
    one.seenAt < other.seenAt ? -1 : one.seenAt > other.seenAt ? 1 : 0,
  )
  const first = earliest?.wallet
  const dueAt = new Map<Address, bigint>()
  for (const sight of sights) {
    const known = dueAt.get(sight.wallet)
    if (known === undefined || sight.dueAt < known) dueAt.set(sight.wallet, sight.dueAt)
  }
  const reached = new Set<Address | null>([first ?? null])
  let before: number
  do {
    before = reached.size
    for (const { wallet, from } of sights) if (from !== null && reached.has(from)) reached.add(wallet)
  } while (reached.size > before)
  return { first, dueAt, areDisputed: [...dueAt.keys()].some((wallet) => !reached.has(wallet)), sights }
}

/** Signs the record of a sight. */
export async function signSight(
  { hotWallet, at }: Pick<Knowing, 'hotWallet' | 'at'>,
  sight: Omit<WalletSight, 'signature'>,
): Promise<WalletSight> {
  const signature = await hotWallet.signMessage({ message: messageOf(at, sight) })
  return { ...sight, signature }
}

const FOREIGN =
  'rows of the file were not signed by the hot wallet: they are ignored (./market facilitator-file removes them)'

/** Returns whether a row was signed by the hot wallet at this address. */
export async function isOurSight(
  { signature, ...sight }: WalletSight,
  at: Pick<Knowing['at'], 'chainId'>,
  hotWallet: Address,
): Promise<boolean> {
  try {
    return isAddressEqual(await recoverMessageAddress({ message: messageOf(at, sight), signature }), hotWallet)
  } catch {
    return false
  }
}

function messageOf(
  { chainId }: Pick<Knowing['at'], 'chainId'>,
  { ownerId, wallet, from, seenAt, dueAt }: Omit<WalletSight, 'signature'>,
) {
  const handover = from === null ? 'without a hand-over' : `handed over by ${from}`
  const owner = urnString('human', ownerId)
  return `Market facilitator: on chain ${chainId}, ${owner} has ${wallet}, ${handover}, seen at ${seenAt}, due ${dueAt}`
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
