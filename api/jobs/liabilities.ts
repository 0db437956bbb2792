import { sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../protocol/amounts.ts'
import type { LiabilitiesDocument } from '../../protocol/liabilities.ts'
import type { LiabilityRoot } from '../../protocol/liabilityTree.ts'
import { signDocument } from '../../protocol/signing.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { forgetTrees, keepLiabilities } from '../liabilities/keep.ts'
import { addClaims, custodyWallets } from '../liabilities/snapshot.ts'
import { TreeThread } from '../liabilities/thread.ts'
import type { ClaimTree } from '../liabilities/tree.ts'
import { confirmedBlock } from './head.ts'
import { indexedBlock, unsettledRows, whereIndexed } from './indexRows.ts'
import { agreed } from './nodes.ts'
import type { JobServices } from './services.ts'

const ROWS_AT_ONCE = 200

/** Everything that is owed at a block: read in one snapshot, in which the books are the chain's as of that block. */
interface Snapshot {
  block: bigint
  wallets: Address[]
  createdAt: Date
}

/**
 * Publishes what custody owes, every so often (rules.liabilitySeconds): a tree of all balances at a confirmed block, its
 * root signed. Waits while the books are not the chain's as of a block: money that is on its way would be missing on one
 * side. What cannot be paid is published as well: it is the reader's to see.
 */
export async function publishLiabilities(services: JobServices): Promise<void> {
  const { db } = services
  if (!(await isDue(services))) return
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
  const { keyId, signature } = await signDocument(document, settings.signingKey)
  await inTransaction(db, 'read write', async (tx) => {
    if (!(await keepLiabilities(tx, { document, key_id: keyId, signature }, tree))) return
    await forgetTrees(tx, settings.rules.liabilityTreesKept)
    log.info({ block: block.toString(), leaves: tree.leaves, total: document.total }, 'liabilities published')
  })
}

async function isDue({ db, settings }: JobServices): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select not exists (select from market.liabilities
      where created_at > market.now() - make_interval(secs => ${settings.rules.liabilitySeconds})
        and block_number = (select max(block_number) from market.liabilities)) as due`.execute(db)
  return rows[0]?.due === true
}

async function takeSnapshot(
  tx: Tx,
  services: JobServices,
  { confirmed, thread }: { confirmed: bigint; thread: TreeThread },
): Promise<Snapshot | undefined> {
  const { chain } = services.settings
  const { rows } = await sql<{ settled: bigint | null; published: bigint | null; now: Date }>`
    select (select max(block_number) from market.settled_events where vanished_at is null) as settled,
      (select max(block_number) from market.liabilities) as published, market.now() as now`.execute(tx)
  const { settled = null, published = null, now = new Date(0) } = rows[0] ?? {}
  // Another worker may have come further: what it has booked is confirmed.
  const block = settled !== null && settled > confirmed ? settled : confirmed
  if (published !== null && published >= block) return undefined
  if (!(await isBooked(tx, services, block))) return undefined
  const wallets = await custodyWallets(tx, chain)
  await addClaims(tx, chain, thread)
  return { block, wallets: wallets.map((wallet) => getAddress(wallet)), createdAt: now }
}

/**
 * Whether all that the chain has done up to a block is in the books. What left the wallet and nothing explains never will
 * be: it has stopped payouts, and takes nothing off what is owed.
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
