import { sql } from 'kysely'
import type { SignedLiabilities } from '../../../../protocol/liabilities/liabilities.ts'
import { NODE_BYTES } from '../../../../protocol/liabilities/liabilityPath.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type AccountTree, type LeafPage, SALT_BYTES } from './tree.ts'

/** Nodes in a row of the table. More nodes make fewer rows; fewer nodes make a path cheaper to read. */
export const PAGE_NODES = 256
const PAGE_BYTES = PAGE_NODES * NODE_BYTES
// The write batch size: small enough that a write blocks nothing else.
const PAGES_AT_ONCE = 50

/**
 * Stores signed liabilities and their tree. Returns false, and changes nothing, if that block already has
 * some.
 */
export async function storeLiabilities(tx: Tx, signed: SignedLiabilities, tree: AccountTree): Promise<boolean> {
  const block = BigInt(signed.document.block_number)
  const kept = await tx
    .insertInto('market.liabilities')
    .values({
      block_number: block,
      document: JSON.stringify(signed.document),
      key_id: signed.key_id,
      signature: signed.signature,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('block_number')
    .executeTakeFirst()
  if (!kept) return false
  for (const page of tree.pages) await insertLeaves(tx, block, page)
  for (const [level, nodes] of tree.levels.entries())
    await insertNodes(tx, block, level, Buffer.from(nodes.buffer, nodes.byteOffset, nodes.byteLength))
  return true
}

async function insertLeaves(tx: Tx, block: bigint, page: LeafPage): Promise<void> {
  const { accountIds, amountsMicros, positions, salts } = page
  const bytes = Buffer.from(salts.buffer, salts.byteOffset, salts.byteLength)
  const saltAt = (index: number) => bytes.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES)
  await sql`
    insert into market.liability_leaves (block_number, account_id, position, amount, salt)
    select ${block}, account_id, position, amount, salt from unnest(
      ${Array.from(accountIds, String)}::bigint[], ${[...positions]}::bigint[], ${Array.from(amountsMicros, String)}::bigint[],
      ${Array.from(accountIds, (_, index) => saltAt(index))}::bytea[]
    ) as leaf(account_id, position, amount, salt)`.execute(tx)
}

async function insertNodes(tx: Tx, block: bigint, level: number, nodes: Buffer): Promise<void> {
  const pages = Array.from({ length: Math.ceil(nodes.length / PAGE_BYTES) }, (_, page) => page)
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
    const some = pages.slice(at, at + PAGES_AT_ONCE)
    await sql`
      insert into market.liability_nodes (block_number, level, page, nodes)
      select ${block}, ${level}, page, nodes from unnest(${some}::integer[],
        ${some.map((page) => nodes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES))}::bytea[]) as kept(page, nodes)`.execute(
      tx,
    )
  }
}
