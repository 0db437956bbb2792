import { isDeepStrictEqual } from 'node:util'
import { type Hex, isHash } from 'viem'
import { inTransaction } from '../db/transaction.ts'
import { claimsOf } from '../escrow/claims.ts'
import { businessKey, type ChainEvent } from '../escrow/evidence.ts'
import { recordVanished, standAt } from '../escrow/vanish.ts'
import { describeFault, isOutage } from '../faults.ts'
import { decodeFact } from './decode.ts'
import { agreed } from './nodes.ts'
import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'
import { blockHashes, receiptOf } from './verify.ts'

/** How far below the newest fact a reorganisation is looked for. The index cannot follow one a fraction as deep. */
const DEEPEST_BLOCKS = 256n

interface Standing {
  key: string
  kind: ChainEvent['kind']
  tx_hash: Hex
  claims: Record<string, unknown> | null
}

/** The hash that every node has at a height; undefined where none has a block. Throws NodesDisagree. */
export function hashAt(services: JobServices, block: bigint): Promise<Hex | undefined> {
  return agreed(services, `block ${block}`, async (node) => (await blockHashes(node, [block])).get(block))
}

/**
 * Looks whether what was acted on still stands on the chain, up to the confirmed block `to`. A fact whose block is gone
 * stands wherever its transaction is mined now, as deep; one that is nowhere has vanished, which is recorded. Either
 * raises an alarm: the chain went back further than CONFIRMATIONS allows for. False when something could not be told.
 */
export async function recheck(services: JobServices, progress: Progress, to: bigint): Promise<boolean> {
  const newest = await newestFact(services)
  if (newest === undefined) return true
  const doubtful = await doubtfulFacts(services, { from: newest - DEEPEST_BLOCKS, to })
  // Of what stood higher than the chain is now, nothing is known until it is as high again.
  let isWhole = newest <= to
  for (const fact of doubtful) isWhole = (await recheckOne(services, progress, fact, to)) && isWhole
  return isWhole
}

async function recheckOne(services: JobServices, progress: Progress, fact: Standing, to: bigint): Promise<boolean> {
  const { db, settings, log } = services
  const about = { alarm: true, key: fact.key, tx: fact.tx_hash }
  try {
    const found = await findAgain(services, fact, to)
    if (found) {
      await inTransaction(db, 'read write', (tx) => standAt(tx, found))
      const block = found.place.blockNumber.toString()
      log.error({ ...about, block }, 'the chain went back past the confirmed depth, and a fact stands in another block')
    } else if (await inTransaction(db, 'read write', (tx) => recordVanished(tx, settings, fact.key))) {
      log.error(about, 'the chain took back a fact that was acted on')
    }
    return true
  } catch (error) {
    if (isOutage(error)) throw error
    if (progress.shouldAlarm(fact.key))
      log.error({ ...about, fault: describeFault(error) }, 'a fact cannot be rechecked')
    return false
  }
}

function standingFacts({ db }: JobServices) {
  return db.selectFrom('market.settled_events').where('vanished_at', 'is', null)
}

async function newestFact(services: JobServices): Promise<bigint | undefined> {
  const newest = standingFacts(services).select((row) => row.fn.max('block_number').as('block'))
  return (await newest.executeTakeFirst())?.block ?? undefined
}

/** Facts in blocks that are not the chain's any more. */
async function doubtfulFacts(services: JobServices, { from, to }: { from: bigint; to: bigint }): Promise<Standing[]> {
  const standing = standingFacts(services)
  const blocks = await standing
    .select(['block_number', 'block_hash'])
    .distinct()
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .execute()
  const numbers = blocks.map((block) => block.block_number)
  const hashes = await agreed(services, 'the blocks of what was acted on', (node) => blockHashes(node, numbers))
  const gone = blocks.filter((block) => hashes.get(block.block_number) !== block.block_hash)
  if (gone.length === 0) return []
  const facts = await standing
    .select(['key', 'kind', 'tx_hash', 'claims'])
    .where(
      'block_hash',
      'in',
      gone.map((block) => block.block_hash),
    )
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return facts.filter((fact): fact is Standing => isHash(fact.tx_hash))
}

/** The same fact, where its transaction is mined now at confirmed depth. */
function findAgain(services: JobServices, fact: Standing, to: bigint): Promise<ChainEvent | undefined> {
  const { chain } = services.settings
  return agreed(services, fact.key, async (node) => {
    const receipt = await receiptOf(node, fact.tx_hash)
    if (receipt?.status !== 'success' || receipt.blockNumber > to) return undefined
    const facts = receipt.logs.map(({ logIndex }) => decodeFact(chain, fact.kind, receipt.logs, logIndex))
    return facts.find((found) => found && isThat(found, fact))
  })
}

function isThat(found: ChainEvent, { key, claims }: Standing): boolean {
  return businessKey(found) === key && (claims === null || isDeepStrictEqual(claimsOf(found), claims))
}
