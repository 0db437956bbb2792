import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { freeAccount, mintUsdc, roleAccount, signForCustody } from '../kit/chain/payments.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { watchHeads } from './heads.ts'
import { type BenchRow, beside, figure, percentile } from './rows.ts'

const PAYMENTS = 100
const PAUSE_MS = 300
const MINING_INTERVAL_MS = 1_000
const CONFIRMATIONS = 2n
const AMOUNT = 1_000n
const BALANCE = 1_000_000n
const POLL_MS = 10
const GAS = 200_000n

interface Sent {
  hash: Hex
  sentMs: number
}

/**
 * Payments into a live market: from the moment each is handed to the node until the market has acted on it.
 */
export async function benchLive(): Promise<BenchRow[]> {
  const stack = await startStack({ processes: ['indexer', 'worker'], miningIntervalMs: MINING_INTERVAL_MS })
  const client = new pg.Client({ connectionString: stack.databaseUrl })
  const heads = watchHeads(stack.chain)
  try {
    await client.connect()
    const sent: Sent[] = []
    const settled = watchSettled(client, PAYMENTS)
    await sendAll(stack, sent)
    const settledMs = await settled
    const timings = await Promise.all(
      sent.map(async ({ hash, sentMs }) => {
        const { blockNumber } = await stack.chain.client.getTransactionReceipt({ hash })
        const floor = heads.reachedMs(blockNumber + CONFIRMATIONS) - sentMs
        return { ours: (settledMs.get(hash) ?? Number.NaN) - sentMs, floor }
      }),
    )
    const ours = timings.map((timing) => timing.ours)
    const floors = timings.map(({ floor }) => floor)
    const added = timings.map((timing) => timing.ours - timing.floor)
    const row = (share: number) =>
      beside(`transaction→settled p${share * 100}`, percentile(ours, share), percentile(floors, share), 'ms')
    return [
      row(0.5),
      row(0.99),
      figure('added to the floor p50', percentile(added, 0.5), 'ms'),
      figure('added to the floor p99', percentile(added, 0.99), 'ms'),
    ]
  } finally {
    await Promise.all([heads.stop(), client.end()])
    await stack.stop()
  }
}

async function sendAll({ chain }: Stack, sent: Sent[]): Promise<void> {
  const payer = freeAccount(0)
  const account = roleAccount(chain, 'deployer')
  await mintUsdc(chain, payer.address, BALANCE)
  for (let index = 0; index < PAYMENTS; index++) {
    const { from, to, value, validAfter, validBefore, nonce, signature } = await signForCustody(chain, payer, AMOUNT)
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
    const call = { address: chain.token, abi: tokenAbi, functionName: 'transferWithAuthorization', args } as const
    const hash = await chain.client.writeContract({ ...call, account, gas: GAS })
    sent.push({ hash, sentMs: performance.now() })
    await delay(PAUSE_MS)
  }
}

/** When each payment was seen to be acted on, once so many were. */
async function watchSettled(client: pg.Client, count: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  while (seen.size < count) {
    const { rows } = await client.query<{ tx_hash: string }>(
      `select tx_hash from market.processed_chain_events where kind = 'payment' and tx_hash <> all ($1)`,
      [[...seen.keys()]],
    )
    for (const { tx_hash: hash } of rows) seen.set(hash, performance.now())
    await delay(POLL_MS)
  }
  return seen
}
