import { sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import type { LiabilitiesDocument } from '../../../protocol/liabilities/liabilities.ts'
import type { LiabilityRoot } from '../../../protocol/liabilities/liabilityPath.ts'
import type { ChainSettings } from '../../context.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { IndexedServices, JobServices } from '../../platform/jobs/services.ts'
import { signAs } from '../../platform/signing/keys.ts'
import { type IndexRow, readIndexed, unprocessedRows } from '../chain/indexRows.ts'
import { agreed, confirmedBlock } from '../chain/nodes.ts'
import { assetKey } from '../ledger/post.ts'
import { blocksAfter, newestCheckpoint } from '../settlement/checkpoints.ts'
import { storeLiabilities } from './internal/keep.ts'
import { readLiabilities } from './internal/liabilities.ts'
import { TreeThread } from './internal/thread.ts'
import type { AccountTree } from './internal/tree.ts'

const RETRY_MS = 5_000
/** Wallets beside the hot wallet that a root can name: readers ask a node for each. */
const MAX_WALLETS = 20

/**
 * Everything owed at a block, read in one database snapshot in which the ledger matches the chain at that
 * block.
 */
interface Snapshot {
  block: bigint
  wallets: Address[]
  createdAt: Date
}

/**
 * Publishes custody's liabilities at an interval (rules.liabilitySeconds): a tree of all balances at a
 * confirmed block, with a signed root. Waits while the ledger does not match the chain at a block, because
 * money in flight would be missing on one side. Publishes an insolvent state too: readers must see it.
 */
export async function publishLiabilities(services: IndexedServices): Promise<void> {
  const { db } = services
  if ((await untilDueMs(services)) > 0) return
  const confirmed = await confirmedBlock(services)
  if (confirmed === undefined) return
  // The index is another database: its events are read before the snapshot, in which all of them must be
  // processed.
  const shown = await eventsUpTo(services, await blockToPublish(db, confirmed))
  if (!shown) return
  const thread = new TreeThread()
  try {
    const snapshot = await inTransaction(db, 'read only', (tx) => takeSnapshot(tx, services, { shown, thread }))
    if (snapshot) await publish(services, snapshot, await thread.build())
  } finally {
    await thread.end()
  }
}

async function publish(services: JobServices, snapshot: Snapshot, tree: AccountTree): Promise<void> {
  const { db, settings, log } = services
  const { block } = snapshot
  const blockHash = await agreed(services, `block ${block}`, async (node) => {
    return (await node.getBlock({ blockNumber: block })).hash
  })
  const document = documentOf(services, snapshot, { root: tree.root, blockHash })
  const { keyId, signature } = await signAs(db, settings, 'liabilities', document)
  await inTransaction(db, 'read write', async (tx) => {
    if (!(await storeLiabilities(tx, { document, key_id: keyId, signature }, tree))) return
    await sql`select market.remove_liability_trees(${settings.rules.liabilityTreesKept})`.execute(tx)
    log.info({ block: block.toString(), leaves: tree.leaves, total: document.total }, 'liabilities published')
  })
}

/** Returns the milliseconds until the next publication or retry. */
export async function nextLiabilitiesInMs(services: JobServices): Promise<number> {
  return Math.max(await untilDueMs(services), RETRY_MS)
}

/** Returns at most 0 when it is due. */
async function untilDueMs({ db, settings }: JobServices): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select ceil(extract(epoch from created_at + make_interval(secs => ${settings.rules.liabilitySeconds})
      - market.now()) * 1000)::float8 as ms
    from market.liabilities order by block_number desc limit 1`.execute(db)
  return rows[0]?.ms ?? 0
}

/** The events that the index shows up to a block, without those before a checkpoint, which are processed. */
interface ShownEvents {
  block: bigint
  rows: readonly IndexRow[]
}

/**
 * Returns the newest block whose events may all be booked: another worker may have processed later events
 * than this one.
 */
async function blockToPublish(db: Db, confirmed: bigint): Promise<bigint> {
  const settled = await newestProcessed(db)
  return settled !== null && settled > confirmed ? settled : confirmed
}

/** Returns undefined while the index has not reached the block. */
async function eventsUpTo(services: IndexedServices, block: bigint): Promise<ShownEvents | undefined> {
  const { chain } = services.settings
  const rows: IndexRow[] = []
  for (const { from: first, to } of blocksAfter(chain.startBlock, await newestCheckpoint(services), block)) {
    for (let from = first; from <= to; ) {
      const blocks = await readIndexed(services, { from, to })
      if (!blocks?.isWhole) return undefined
      rows.push(...blocks.rows)
      from = blocks.to + 1n
    }
  }
  return { block, rows }
}

async function takeSnapshot(
  tx: Tx,
  services: JobServices,
  { shown, thread }: { shown: ShownEvents; thread: TreeThread },
): Promise<Snapshot | undefined> {
  const { block, rows } = shown
  const [settled, published] = [await newestProcessed(tx), await newestPublished(tx)]
  if (published !== null && published >= block) return undefined
  // Events after the block were booked while the index was read: the next attempt includes them.
  if (settled !== null && settled > block) return undefined
  if (!(await areBooked(tx, rows))) return undefined
  const createdAt = await readClock(tx)
  const wallets = await custodyWallets(tx, services)
  await addLiabilities(tx, services.settings.chain, thread)
  return { block, wallets: wallets.map((wallet) => getAddress(wallet)), createdAt }
}

async function newestProcessed(db: Db | Tx): Promise<bigint | null> {
  const { rows } = await sql<{ block: bigint | null }>`
    select max(block_number) as block from market.processed_chain_events where vanished_at is null`.execute(db)
  return rows[0]?.block ?? null
}

async function newestPublished(tx: Tx): Promise<bigint | null> {
  const { rows } = await sql<{ block: bigint | null }>`
    select max(block_number) as block from market.liabilities`.execute(tx)
  return rows[0]?.block ?? null
}

/**
 * Returns whether events are in the ledger. An unexplained outflow from the wallet never will be: it has
 * stopped payouts and does not reduce liabilities.
 */
async function areBooked(tx: Tx, rows: readonly IndexRow[]): Promise<boolean> {
  const open = (await unprocessedRows(tx, rows)).map(({ key }) => key)
  if (open.length === 0) return true
  const { rows: stopping } = await sql<{ fact: string }>`
    select distinct fact from market.payout_stops where fact = any(${open}::text[])`.execute(tx)
  return stopping.length === new Set(open).size
}

function documentOf(
  { settings }: JobServices,
  snapshot: Snapshot,
  { root, blockHash }: { root: LiabilityRoot; blockHash: Hex },
): LiabilitiesDocument {
  return {
    type: 'market:liabilities',
    network: `eip155:${settings.chain.chainId}`,
    token: settings.chain.token,
    wallets: snapshot.wallets,
    block_number: Number(snapshot.block),
    block_hash: blockHash,
    total: formatAmount(root.sumMicros),
    root: Buffer.from(root.hash).toString('hex'),
    height: root.height,
    created_at: snapshot.createdAt.toISOString(),
  }
}

/**
 * Returns the wallets that hold custody money, in lowercase: the hot wallet, and any other wallet to which
 * the ledger books tokens. A login of the service can open accounts: one that has no entries, or whose owner
 * is no address, names no wallet, and the oldest accounts come first.
 */
async function custodyWallets(tx: Tx, { settings: { chain }, log }: JobServices): Promise<string[]> {
  const { rows } = await sql<{ wallet: string; isAddress: boolean }>`
    select owner_id as wallet, ledger.is_owner_id(owner_type, owner_id) as "isAddress" from ledger.accounts account
    where asset = ${assetKey(chain)} and balance is null and kind in ('hot_wallet', 'cold_wallet')
      and owner_id <> ${chain.hotWallet.toLowerCase()}
      and exists (select from ledger.entries where account_id = account.id)
    order by id limit ${MAX_WALLETS + 1}`.execute(tx)
  const wallets = rows.filter(({ isAddress }) => isAddress).slice(0, MAX_WALLETS)
  const skipped = rows.length - wallets.length
  if (skipped > 0) log.error({ alarm: true, skipped }, 'accounts of wallets are left out of the root of liabilities')
  return [...new Set([chain.hotWallet.toLowerCase(), ...wallets.map(({ wallet }) => wallet)])].toSorted()
}

/** Sends all liabilities in the transaction's snapshot to the thread that builds the tree. */
async function addLiabilities(tx: Tx, chain: ChainSettings, thread: TreeThread): Promise<void> {
  for await (const liabilities of readLiabilities(tx, chain)) thread.add(liabilities)
}
