import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { askAll } from '../../../protocol/rpc/askAll.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { placeActs } from '../../platform/events/placeActs.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { agreed, confirmedAt, lowest, readHeads } from '../chain/nodes.ts'
import { hashAt } from '../settlement/recheck.ts'
import { stopPayouts } from '../stops/stops.ts'
import type { ComparedAccount } from './internal/accounts.ts'
import { checkFee } from './internal/appealFees.ts'
import { type ChainFigures, checkAccount, checkSums, type Finding, figuresOf, isOnChain } from './internal/checks.ts'
import { checkHold } from './internal/holds.ts'
import { checkDeposit } from './internal/payouts.ts'
import { type Books, readBooks } from './internal/read.ts'
import { checkReceipt } from './internal/receipts.ts'
import { type Comparison, recordComparison } from './internal/record.ts'
import { followShortages, missingAt, type Place } from './internal/shortages.ts'
import { checkTransfer, recordDigests } from './internal/transferDigests.ts'

// In the order of the contract's enum.
const HELD = 1
const NAMES: Record<Place, string> = { hot_wallet: 'The hot wallet', escrow: 'The escrow' }

// Keeps the row small, however many differences there are.
const MOST_FINDINGS = 100
const REPEAT_ALARM_MS = 60_000

/**
 * Compares the ledger with the chain at the block that settle has processed: the balances of the escrow and
 * the hot wallet, the escrow's debts, and a batch of holds and credits one by one. Records its findings. A
 * surplus stops nothing; a shortage stops payouts at that place. Throws NodesDisagree, and any error of a
 * node or the database.
 */
export async function reconcile(services: JobServices): Promise<void> {
  const { db, settings, log } = services
  // What has a place is added up once.
  await placeActs(db, { waits: false })
  const books = await inTransaction(db, 'read only', (tx) => readBooks(tx, settings))
  if (!books) return
  if (books.isForged) log.error({ alarm: true }, 'a comparison on file has an invalid seal')
  const { block, last } = books
  if ((await hashAt(services, block.number)) !== block.hash) return
  const found = await compare(services, books)
  // The nodes' answers are about this block, unless the chain changed meanwhile.
  if ((await hashAt(services, block.number)) !== block.hash) return
  const at = { block: block.number, head: lowest(await readHeads(services)) }
  const { shortages, raised } = followShortages(last?.shortages ?? {}, found.missing, at)
  const look = lookOf(books, { ...found, shortages, head: at.head, ...(await lagOf(services, block.number)) })
  await inTransaction(db, 'read write', async (tx) => {
    await recordComparison(tx, settings, look)
    await recordDigests(tx, books.transfers)
    for (const shortage of raised) await stopForShortage(tx, shortage, block)
  })
  for (const shortage of raised)
    log.error({ alarm: true, place: shortage.place, missing: `${shortage.missingMicros}` }, 'balance below liabilities')
  if (isToBeSaid(books, look)) log.error({ alarm: true, findings: look.findings }, 'the ledger and the chain differ')
}

/**
 * Returns when the next comparison is needed before the schedule: soon if the last one found a difference, or
 * if events were booked in later blocks. Undefined otherwise.
 */
export async function nextComparisonInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql`
    select from (select * from market.reconciliations order by id desc limit 1) last
    where not last.is_ok or exists (select from market.processed_chain_events where block_number > last.block_number)`.execute(
    db,
  )
  return rows.length > 0 ? 0 : undefined
}

async function compare(services: JobServices, { block, accounts, holds, fees, deposits, transfers, sums }: Books) {
  const { chain } = services.settings
  const seen = await chainFigures(services, block.number)
  const findings = [
    ...checkSums(chain, sums, seen),
    ...accounts.flatMap((account) => checkAccount(chain, account)),
    ...holds.flatMap((hold) => [...checkHold(chain, hold), ...checkReceipt(hold)]),
    ...fees.flatMap((fee) => checkFee(chain, fee)),
    ...deposits.flatMap((deposit) => checkDeposit(chain, deposit)),
    ...(await judgeOnChain(services, accounts.filter(isOnChain), block.number)),
    ...transfers.flatMap(checkTransfer),
  ].slice(0, MOST_FINDINGS)
  const booked = figuresOf(sums)
  return { findings, figures: { booked, seen }, missing: missingAt(booked, seen) }
}

/** Returns how far a block is behind the newest confirmed one, in blocks and in seconds of the chain. */
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

type Found = Pick<Comparison, 'findings' | 'figures' | 'shortages' | 'lag_blocks' | 'lag_seconds'> & { head: bigint }

function lookOf(books: Books, found: Found): Comparison {
  const { block, database_epoch, last, log_epoch, log_place, below } = books
  const { findings, figures, shortages, lag_blocks, lag_seconds } = found
  return {
    ...{
      checked_at: books.checkedAt,
      database_epoch,
      block_number: block.number,
      block_hash: block.hash,
      lag_blocks,
      lag_seconds,
    },
    ...{ is_ok: findings.length === 0, figures, findings, shortages, log_epoch, log_place, below },
    differs_since_head: findings.length === 0 ? null : (last?.differs_since_head ?? found.head),
    ...{ account_cursor: books.accountCursor, transfer_cursor: books.transferCursor, swept_at: books.sweptAt },
  }
}

/**
 * A short difference is an event that the index does not show yet: it counts once the ledger is past the
 * block where it was first seen.
 */
function isToBeSaid({ last }: Books, { block_number, differs_since_head, findings }: Comparison): boolean {
  if (differs_since_head === null || block_number < differs_since_head) return false
  const wasSaid = last?.differs_since_head != null && last.block_number >= last.differs_since_head
  const isDue = last === undefined || Math.floor(Date.now() / REPEAT_ALARM_MS) !== minuteOf(last.checked_at)
  return !wasSaid || isDue || !isDeepStrictEqual(last?.findings, findings)
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / REPEAT_ALARM_MS)
}

/** Stops payouts for a shortage until an operator has looked at it. `missingMicros` is in micro-units. */
async function stopForShortage(
  tx: Tx,
  { place, missingMicros }: { place: Place; missingMicros: bigint },
  { number, hash }: Books['block'],
): Promise<void> {
  const reason = `${NAMES[place]} has ${formatAmount(missingMicros)} less than is booked, at block ${number}.`
  // A block's hash cannot be known in advance, so no stop with this key can have been filed before the block.
  await stopPayouts(tx, { actor: 'service', place, reason, fact: `shortfall:${place}:${hash}` })
}

/**
 * Returns the escrow's and the hot wallet's balances, and the escrow's debts, at a block. Throws as `agreed`.
 */
function chainFigures(services: JobServices, blockNumber: bigint): Promise<ChainFigures> {
  const { escrow, token, hotWallet } = services.settings.chain
  const balance = { address: token, abi: tokenAbi, functionName: 'balanceOf', blockNumber } as const
  return agreed(services, `the balances at block ${blockNumber}`, async (node) => {
    const [escrowMicros, walletMicros, owedMicros] = await Promise.all([
      node.readContract({ ...balance, args: [escrow] }),
      node.readContract({ ...balance, args: [hotWallet] }),
      node.readContract({ address: escrow, abi: escrowAbi, functionName: 'totalOwed', blockNumber }),
    ])
    return { escrowMicros, walletMicros, owedMicros }
  })
}

/** Compares the given holds and credits, one by one, with the contract's at a block. Throws as `agreed`. */
async function judgeOnChain(
  services: JobServices,
  accounts: readonly ComparedAccount[],
  blockNumber: bigint,
): Promise<Finding[]> {
  return (await askAll(accounts, (account) => judgeOne(services, account, blockNumber))).flat()
}

async function judgeOne(services: JobServices, account: ComparedAccount, blockNumber: bigint): Promise<Finding[]> {
  const { id, kind, owner, balanceMicros } = account
  const about = { subject: owner, account: `${id}` }
  const at = { address: services.settings.chain.escrow, abi: escrowAbi, blockNumber } as const
  if (kind === 'claimable') {
    const seen = await agreed(services, `the credit of ${owner}`, (node) =>
      node.readContract({ ...at, functionName: 'claimable', args: [owner as Address] }),
    )
    if (seen === balanceMicros) return []
    return [{ ...about, code: 'claimable/chain', booked: `${balanceMicros}`, expected: `${seen}` }]
  }
  const state = await agreed(services, `hold ${owner}`, (node) =>
    node.readContract({ ...at, functionName: 'stateOf', args: [owner as Hex] }),
  )
  const isBooked = balanceMicros !== null && balanceMicros > 0n
  if ((state === HELD) === isBooked) return []
  const words = (isHeld: boolean) => (isHeld ? 'held' : 'not held')
  return [{ ...about, code: 'hold/state', booked: words(isBooked), expected: words(state === HELD) }]
}
