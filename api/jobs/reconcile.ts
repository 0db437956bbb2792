import { isDeepStrictEqual } from 'node:util'
import { inTransaction } from '../db/transaction.ts'
import { judgeHold } from '../reconciliation/holds.ts'
import { figuresOf, isOnChain, judgeAccount, judgeSums } from '../reconciliation/judge.ts'
import { judgeDeposit } from '../reconciliation/payouts.ts'
import { type Books, readBooks } from '../reconciliation/read.ts'
import { judgeReceipt } from '../reconciliation/receipts.ts'
import { type Look, recordLook } from '../reconciliation/record.ts'
import { judgeTransfer, sealTransfers } from '../reconciliation/seals.ts'
import { followShortages, missingAt } from '../reconciliation/shortages.ts'
import { stopForShortage } from '../reconciliation/stop.ts'
import { chainFigures, judgeOnChain } from './chainFigures.ts'
import { confirmedAt, lowest, readHeads } from './head.ts'
import { agreed } from './nodes.ts'
import { hashAt } from './recheck.ts'
import type { JobServices } from './services.ts'

// So that one row stays small whatever has happened.
const MOST_FINDINGS = 100
const REPEAT_ALARM_MS = 60_000

/**
 * Compares the ledger with the chain at the block that settle has come to: what the escrow and the hot wallet have, what
 * the escrow owes, and each hold and credit, some at a time. Writes down what it found. More than is booked stops nothing;
 * less stops payouts there. Throws NodesDisagree, and what a node or the database throws.
 */
export async function reconcile(services: JobServices): Promise<void> {
  const { db, settings, log } = services
  const books = await inTransaction(db, 'read only', (tx) => readBooks(tx, settings.chain))
  if (!books) return
  const { block, last } = books
  if ((await hashAt(services, block.number)) !== block.hash) return
  const found = await compare(services, books)
  // What the nodes told was told of this very block, unless the chain has changed meanwhile.
  if ((await hashAt(services, block.number)) !== block.hash) return
  const at = { block: block.number, head: lowest(await readHeads(services)) }
  const { shortages, raised } = followShortages(last?.shortages ?? {}, found.missing, at)
  const look = lookOf(books, { ...found, shortages, head: at.head, ...(await lagOf(services, block.number)) })
  await inTransaction(db, 'read write', async (tx) => {
    await recordLook(tx, look)
    await sealTransfers(tx, books.transfers)
    for (const shortage of raised) await stopForShortage(tx, shortage, block.number)
  })
  for (const shortage of raised)
    log.error(
      { alarm: true, place: shortage.place, missing: `${shortage.missingMicros}` },
      'there is less than is owed',
    )
  if (isToBeSaid(books, look)) log.error({ alarm: true, findings: look.findings }, 'the ledger and the chain differ')
}

async function compare(services: JobServices, { block, accounts, holds, deposits, transfers, sums }: Books) {
  const { chain } = services.settings
  const seen = await chainFigures(services, block.number)
  const findings = [
    ...judgeSums(chain, sums, seen),
    ...accounts.flatMap((account) => judgeAccount(chain, account)),
    ...holds.flatMap((hold) => [...judgeHold(chain, hold), ...judgeReceipt(hold)]),
    ...deposits.flatMap((deposit) => judgeDeposit(chain, deposit)),
    ...(await judgeOnChain(services, accounts.filter(isOnChain), block.number)),
    ...transfers.flatMap(judgeTransfer),
  ].slice(0, MOST_FINDINGS)
  const booked = figuresOf(sums)
  return { findings, figures: { booked, seen }, missing: missingAt(booked, seen) }
}

/** How far behind the newest confirmed block a block is, in blocks and in seconds of the chain. */
async function lagOf(services: JobServices, number: bigint) {
  const confirmed = confirmedAt(services, lowest(await readHeads(services))) ?? number
  const timeOf = (blockNumber: bigint) =>
    agreed(
      services,
      `the time of block ${blockNumber}`,
      async (node) => (await node.getBlock({ blockNumber })).timestamp,
    )
  if (confirmed <= number) return { lag_blocks: 0n, lag_seconds: 0n }
  const [newer, older] = await Promise.all([timeOf(confirmed), timeOf(number)])
  return { lag_blocks: confirmed - number, lag_seconds: newer - older }
}

type Found = Pick<Look, 'findings' | 'figures' | 'shortages' | 'lag_blocks' | 'lag_seconds'> & { head: bigint }

function lookOf(books: Books, found: Found): Look {
  const { block, incarnation, last, horizon, below } = books
  const { findings, figures, shortages, lag_blocks, lag_seconds } = found
  return {
    ...{ incarnation, block_number: block.number, block_hash: block.hash, lag_blocks, lag_seconds },
    ...{ is_ok: findings.length === 0, figures, findings, shortages, horizon, below },
    differs_since_head: findings.length === 0 ? null : (last?.differs_since_head ?? found.head),
    ...{ account_cursor: books.accountCursor, transfer_cursor: books.transferCursor, swept_at: books.sweptAt },
  }
}

/** What differs for a moment is what the index has not shown yet: it counts once the books are past where it was seen. */
function isToBeSaid({ last }: Books, { block_number, differs_since_head, findings }: Look): boolean {
  if (differs_since_head === null || block_number < differs_since_head) return false
  const wasSaid = last?.differs_since_head != null && last.block_number >= last.differs_since_head
  const isDue = last === undefined || Math.floor(Date.now() / REPEAT_ALARM_MS) !== minuteOf(last.checked_at)
  return !wasSaid || isDue || !isDeepStrictEqual(last?.findings, findings)
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / REPEAT_ALARM_MS)
}
