import { readFile } from 'node:fs/promises'
import { freeAccount, mintUsdc, newTerms, signForHold } from '../test/kit/chain/payments.ts'
import {
  type Bench,
  endFacilitator,
  facilitatorSpec,
  outcomeOf,
  request,
  startBench,
  startFacilitator,
  tamper,
} from '../test/kit/facilitator/facilitator.ts'
import { startDurableDatabase } from '../test/kit/stack/database.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const ROWS = 1_000_000
const STARTS = 3
const PRICE_MICROS = 1_000_000n
const BUYER_MICROS = 1_000_000_000n
const GOAL = { ratio: 5, memoryRatio: 1.5 }
const HASH = `'0x' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex')`
const SIGNATURE = `'0x' || repeat('11', 65)`

/** What one start took. */
interface Start {
  actingMs: number
  paidMs: number
  peakMegabytes: number
}

/**
 * A start of the facilitator whose append-only tables have a million rows that its login can add and no key
 * of ours signed, beside a start with an empty file: until it acts, until a payment that waited is confirmed,
 * and its memory. The first start of each is not counted.
 */
export async function bench(): Promise<BenchRow[]> {
  if (process.platform !== 'linux') throw new Error('peak memory is read from /proc, which only Linux has')
  const bench = await startBench({ database: await startDurableDatabase() })
  try {
    await mintUsdc(bench.chain, freeAccount(0).address, BUYER_MICROS)
    const empty = await measure(bench)
    const rows = await fill(bench)
    const full = await measure(bench)
    const median = (starts: readonly Start[], of: keyof Start) =>
      percentile(
        starts.map((start) => start[of]),
        0.5,
      )
    const ratioOf = (name: string, of: keyof Start, unit: string, goal: number) => {
      const row = beside(name, median(full, of), median(empty, of), unit)
      return judged(row, `at most ${goal} times`, Number(row.ratio) <= goal)
    }
    return [
      figure('rows', rows, ''),
      ratioOf('start, until it acts', 'actingMs', 'ms', GOAL.ratio),
      ratioOf('start, until a payment is confirmed', 'paidMs', 'ms', GOAL.ratio),
      ratioOf('peak memory', 'peakMegabytes', 'MB', GOAL.memoryRatio),
    ]
  } finally {
    await bench.stop()
  }
}

async function measure(bench: Bench): Promise<Start[]> {
  const starts: Start[] = []
  for (let start = 0; start <= STARTS; start++) starts.push(await startOnce(bench))
  return starts.slice(1)
}

async function startOnce(bench: Bench): Promise<Start> {
  const terms = await newTerms(bench.chain, freeAccount(1).address, PRICE_MICROS)
  const authorization = await signForHold(bench.chain, freeAccount(0), terms)
  const intent = await request(bench, { kind: 'fund', terms, authorization })
  const fromMs = performance.now()
  const facilitator = await startFacilitator(facilitatorSpec(bench))
  try {
    const actingMs = performance.now() - fromMs
    const { status } = await outcomeOf(bench, intent)
    if (status !== 'confirmed') throw new Error(`the payment is ${status}`)
    return { actingMs, paidMs: performance.now() - fromMs, peakMegabytes: await peakMegabytesOf(facilitator.pid) }
  } finally {
    await endFacilitator(facilitator, 'SIGTERM')
  }
}

async function peakMegabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(/^VmHWM:\s+(\d+) kB$/m)?.[1]) / 1024
}

/** Adds the rows, as many to each table. Returns how many there are. */
async function fill(bench: Bench): Promise<number> {
  const signers = Object.values(bench.chain.accounts).map(({ address }) => `'${address.toLowerCase()}'`)
  const signer = `(array[${signers.join()}])[1 + n % ${signers.length}]`
  const entry = `(select coalesce(max(number), 0) from facilitator.authorizations) + n, ${HASH}, ${HASH}, ${SIGNATURE}`
  const tables: Record<string, string> = {
    'transactions (hash, signer, nonce, raw)': `${HASH}, ${signer}, n, '0x02f8'`,
    'outcomes (intent_id, status)': `gen_random_uuid(), 'failed'`,
    'authorizations (number, hash, previous, seal, nonce, leg, valid_before, recipient, amount_micros, signature)': `${entry}, ${HASH}, 'payer', 253402300799, '0x' || repeat('ab', 20), 1, ${SIGNATURE}`,
    'identities (number, hash, previous, seal, identity, signs_from)': `${entry}, 'x', 253402300799`,
    'first_sights (number, subject, payer_micros, payee_micros, seen_at, due_at, signature)': `n, ${HASH}, 0, 0, 1, 1, ${SIGNATURE}`,
    'wallet_sights (owner_id, wallet, seen_at, due_at, signature)': `gen_random_uuid(), '0x' || repeat('ab', 20), 0, 0, ${SIGNATURE}`,
  }
  const each = Math.ceil(ROWS / Object.keys(tables).length)
  // Past the triggers, which would let the login add the same rows one after the other.
  for (const [into, values] of Object.entries(tables))
    await tamper(bench, `insert into facilitator.${into} select ${values} from generate_series(1, ${each}) n`)
  return each * Object.keys(tables).length
}
