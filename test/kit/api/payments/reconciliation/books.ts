import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { decodeEvent } from '../../../../../api/payments/chain/decode.ts'
import { nextPass, readDatabaseEpoch, recordProcessed } from '../../../../../api/payments/chain/progress.ts'
import { holdTerms } from '../../../../../api/payments/escrow/terms.ts'
import {
  type Comparison,
  lastComparison,
  recordComparison,
} from '../../../../../api/payments/reconciliation/internal/record.ts'
import { reconcile } from '../../../../../api/payments/reconciliation/reconcile.ts'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { cancelOrder } from '../../../../../api/trading/orders/work/cancel.ts'
import { chainSettings } from '../../../../../cli/stack/services.ts'
import { escrowAbi } from '../../../../../protocol/generated/escrow.ts'
import { payoutNonce } from '../../../../../protocol/payments/nonces.ts'
import { paymentOf } from '../../../chain/forks.ts'
import { startChain, type TestChain } from '../../../chain/node.ts'
import {
  freeAccount,
  mineBlocks,
  mined,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
  transferUnsigned,
} from '../../../chain/payments.ts'
import { newTrade, PRICE, startWorld, type Trade, type World } from '../escrow/world.ts'

const RESCUE_DELAY_SECONDS = 30 * 86_400
const KINDS = [
  ...(['funded', 'released', 'reclaimed', 'withdrawn', 'stray_returned', 'rescued'] as const),
  ...(['payment', 'transfer', 'outflow', 'leak'] as const),
]

/**
 * The real chain and the real books, without what moves facts from one to the other: a test does that, or
 * does not.
 */
export interface Bookkeeping {
  chain: TestChain
  world: World
  services: JobServices
  lines: { alarm?: boolean; msg: string }[]
  /** Books all that a transaction has done, as settle would. */
  book: (receipt: TransactionReceipt) => Promise<void>
  /** Compares the books with the chain as of a block that settle has come to. */
  lookAt: (blockNumber: bigint) => Promise<Comparison>
  /** The same as of the newest block, once it is deep enough. */
  look: () => Promise<Comparison>
  /** Records the last comparison again, with changes. */
  amend: (changes: Partial<Comparison>) => Promise<void>
  /** The same, when it is time to add up everything again. */
  sweep: () => Promise<Comparison>
  stop: () => Promise<void>
}

export async function startBookkeeping(): Promise<Bookkeeping> {
  const chain = await startChain()
  const world = await startWorld(chainSettings(chain))
  await mintUsdc(chain, freeAccount(0).address, 1_000_000_000n)
  const lines: { alarm?: boolean; msg: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const services = { db: world.serviceDb, rpc: chain.client, settings: world.settings, log }
  const lookAt = async (blockNumber: bigint) => {
    const deep = blockNumber + BigInt(world.settings.chain.confirmations)
    while ((await chain.client.getBlockNumber()) < deep) await mineBlocks(chain, 1)
    const { hash } = await chain.client.getBlock({ blockNumber })
    const pass = { databaseEpoch: await readDatabaseEpoch(world.db), pass: await nextPass(world.db) }
    await recordProcessed(world.db, { number: blockNumber, hash }, pass)
    await reconcile(services)
    const newest = await world.run((tx) => lastComparison(tx, world.settings))
    if (!newest || newest === 'forged' || newest.block_hash !== hash)
      throw new Error(`nobody has looked at block ${blockNumber}`)
    return newest
  }
  const look = async () => {
    await mineBlocks(chain, 1)
    return lookAt(await chain.client.getBlockNumber())
  }
  return {
    ...{ chain, world, services, lines, lookAt, look },
    book: async ({ logs }) => {
      for (const { logIndex } of logs)
        for (const kind of KINDS) {
          const fact = decodeEvent(world.settings.chain, kind, logs, logIndex)
          if (fact) await world.settle(fact)
        }
    },
    amend: (changes) =>
      world.run(async (tx) => {
        const last = await lastComparison(tx, world.settings)
        if (!last || last === 'forged') throw new Error('nobody has looked yet')
        await recordComparison(tx, world.settings, { ...last, checked_at: new Date(), ...changes })
      }),
    sweep: async () => {
      await sql`update market.reconciliations set swept_at = swept_at - interval '61 seconds'`.execute(world.db)
      return look()
    },
    stop: async () => {
      await world.stop()
      await chain.stop()
    },
  }
}

/** An order and its payment on the chain, which the books have not heard of. */
export async function paid({ chain, world }: Bookkeeping, mode: 'contract' | 'custodied') {
  const trade = await newTrade(world, mode, { from: freeAccount(0).address })
  const payment = await paymentOf(chain, freeAccount(0), trade)
  return {
    trade,
    receipt: await mined(
      chain,
      payment.send().then(() => payment.hash),
    ),
  }
}

/** The contract splits an order's hold: 19 to the seller, 1 to the service. */
export function released({ chain, world }: Bookkeeping, { order }: Trade) {
  const { payee, feeRecipient } = holdTerms(order)
  const amounts = [19_000_000n, 1_000_000n]
  return mined(
    chain,
    chain.client.writeContract({
      ...{ account: roleAccount(chain, 'resolver'), address: world.settings.chain.escrow, abi: escrowAbi },
      ...{ functionName: 'release', args: [holdTerms(order), freeAccount(0).address, [payee, feeRecipient], amounts] },
    }),
  )
}

/** A seller is paid what the contract owes them. */
export function withdrawn({ chain, world }: Bookkeeping, { order }: Trade) {
  return mined(
    chain,
    chain.client.writeContract({
      ...{ account: roleAccount(chain, 'deployer'), address: world.settings.chain.escrow, abi: escrowAbi },
      ...{ functionName: 'withdrawFor', args: [order.payee as Address] },
    }),
  )
}

/** A custodied order is cancelled, and its payer is paid back. */
export async function refunded({ chain, world }: Bookkeeping, { orderId, order, seller }: Trade) {
  await world.run((tx) => cancelOrder(tx, seller.call, orderId, 'other'))
  const from = freeAccount(0).address
  const nonce = payoutNonce(world.settings.chain, { from, nonce: order.nonce as Hex }, 'payer')
  return submitToToken(
    chain,
    await signTransfer(chain, roleAccount(chain, 'hotWallet'), { to: from, value: PRICE, nonce }),
  )
}

/** Somebody sends tokens without a signature that says what for. */
export function transferred({ chain }: Bookkeeping, to: Address, amountMicros: bigint) {
  return transferUnsigned(chain, freeAccount(0).address, to, amountMicros)
}

/** The contract's admin announces to take out what nobody is owed, waits for thirty days, and does. */
export async function rescued({ chain }: Bookkeeping, to: Address, amountMicros: bigint) {
  const escrow = { account: roleAccount(chain, 'deployer'), address: chain.escrow, abi: escrowAbi } as const
  await mined(
    chain,
    chain.client.writeContract({ ...escrow, functionName: 'announceRescue', args: [to, amountMicros] }),
  )
  await mineBlocks(chain, 1, RESCUE_DELAY_SECONDS)
  return mined(chain, chain.client.writeContract({ ...escrow, functionName: 'rescue' }))
}
