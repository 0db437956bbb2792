import { sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../protocol/amounts.ts'
import type { LiabilitiesDocument } from '../../../protocol/liabilities.ts'
import type { LiabilityRoot } from '../../../protocol/liabilityPath.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { signAs } from '../../platform/signing/keys.ts'
import { confirmedBlock } from '../chain/head.ts'
import { indexedBlock, unsettledRows, whereIndexed } from '../chain/indexRows.ts'
import { agreed } from '../chain/nodes.ts'
import { removeTrees, storeLiabilities } from './keep.ts'
import { addClaims, custodyWallets } from './snapshot.ts'
import { TreeThread } from './thread.ts'
import type { ClaimTree } from './tree.ts'

const ROWS_AT_ONCE = 200
const RETRY_MS = 5_000

/** Everything owed at a block, read in one database snapshot in which the ledger matches the chain at that block. */
interface Snapshot {
  block: bigint
  wallets: Address[]
  createdAt: Date
}

/**
 * Publishes custody's liabilities at an interval (rules.liabilitySeconds): a tree of all balances at a confirmed block,
 * with a signed root. Waits while the ledger does not match the chain at a block, because money in flight would be
 * missing on one side. Publishes an insolvent state too: readers must see it.
 */
export async function publishLiabilities(services: JobServices): Promise<void> {
  const { db } = services
  if ((await untilDueMs(services)) > 0) return
  const confirmed = await confirmedBlock(services)
  if (confirmed === undefined) return
  const thread = new TreeThread()
  try {
    const snapshot = await whereIndexed(() =>
      inTransaction(db, 'read only', (tx) => takeSnapshot(tx, services, { confirmed, thread })),
    )
    if (snapshot) await publish(services, snapshot, await thread.build())
  } finally {
    await thread.end()
  }
}

async function publish(services: JobServices, snapshot: Snapshot, tree: ClaimTree): Promise<void> {
  const { db, settings, log } = services
  const { block } = snapshot
  const blockHash = await agreed(services, `block ${block}`, async (node) => {
    return (await node.getBlock({ blockNumber: block })).hash
  })
  const document = documentOf(services, snapshot, { root: tree.root, blockHash })
  const { keyId, signature } = await signAs(db, settings, 'liabilities', document)
  await inTransaction(db, 'read write', async (tx) => {
    if (!(await storeLiabilities(tx, { document, key_id: keyId, signature }, tree))) return
    await removeTrees(tx, settings.rules.liabilityTreesKept)
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

async function takeSnapshot(
  tx: Tx,
  services: JobServices,
  { confirmed, thread }: { confirmed: bigint; thread: TreeThread },
): Promise<Snapshot | undefined> {
  const { chain } = services.settings
  const { rows } = await sql<{ settled: bigint | null; published: bigint | null; now: Date }>`
    select (select max(block_number) from market.processed_chain_events where vanished_at is null) as settled,
      (select max(block_number) from market.liabilities) as published, market.now() as now`.execute(tx)
  const { settled = null, published = null, now = new Date(0) } = rows[0] ?? {}
  // Another worker may have processed later blocks: what it booked is confirmed.
  const block = settled !== null && settled > confirmed ? settled : confirmed
  if (published !== null && published >= block) return undefined
  if (!(await isBooked(tx, services, block))) return undefined
  const wallets = await custodyWallets(tx, chain)
  await addClaims(tx, chain, thread)
  return { block, wallets: wallets.map((wallet) => getAddress(wallet)), createdAt: now }
}

/**
 * Returns whether every chain event up to a block is in the ledger. An unexplained outflow from the wallet never will
 * be: it has stopped payouts and does not reduce liabilities.
 */
async function isBooked(tx: Tx, { settings: { chain } }: JobServices, block: bigint): Promise<boolean> {
  const indexed = await indexedBlock(tx, chain)
  if (indexed === undefined || indexed.number < block) return false
  const range = { from: chain.startBlock, to: block, after: undefined, limit: ROWS_AT_ONCE }
  const open = (await unsettledRows(tx, chain, range)).map(({ key }) => key)
  if (open.length === 0) return true
  const { rows: stopping } = await sql<{ fact: string }>`
    select fact from market.payout_stops where fact = any(${open}::text[])`.execute(tx)
  return open.length < ROWS_AT_ONCE && stopping.length === open.length
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
