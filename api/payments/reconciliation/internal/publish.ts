import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Finding } from './checks.ts'
import { type ComparisonRow, lastComparison, readFigures } from './record.ts'
import type { Place } from './shortages.ts'

const MS = 1_000

/** Returns the last comparison for the public: accounts with differences are counted, but not named. */
export async function publishedComparison(tx: Tx, settings: Pick<Settings, 'chain' | 'secretKey'>) {
  const { token, escrow, hotWallet } = settings.chain
  const look = await lastComparison(tx, settings)
  if (!look || look === 'forged') return null
  const { booked, seen } = look.figures
  const compared = (name: keyof typeof booked) => ({
    booked: signed(booked[name]),
    on_chain: signed(seen[name]),
  })
  return {
    checked_at: look.checked_at.toISOString(),
    age_seconds: Math.floor(((await readTime(tx)).getTime() - look.checked_at.getTime()) / MS),
    block_number: Number(look.block_number),
    block_hash: look.block_hash,
    lag: { blocks: Number(look.lag_blocks), seconds: Number(look.lag_seconds) },
    is_ok: look.is_ok,
    token,
    escrow: { address: escrow, balance: compared('escrowMicros'), owed: compared('owedMicros') },
    hot_wallet: { address: hotWallet, balance: compared('walletMicros') },
    findings: countsOf(look.findings),
    stopped: await stoppedPlaces(tx),
  }
}

/** Returns a past comparison for the public. */
export function toPastReconciliation(look: ComparisonRow) {
  const booked = readFigures(look.figures.booked)
  const seen = readFigures(look.figures.seen)
  const compared = (name: keyof typeof booked) => ({ booked: signed(booked[name]), on_chain: signed(seen[name]) })
  return {
    checked_at: look.checked_at.toISOString(),
    block_number: Number(look.block_number),
    block_hash: look.block_hash,
    lag: { blocks: Number(look.lag_blocks), seconds: Number(look.lag_seconds) },
    is_ok: look.is_ok,
    escrow: { balance: compared('escrowMicros'), owed: compared('owedMicros') },
    hot_wallet: { balance: compared('walletMicros') },
    findings: look.findings.length,
  }
}

/** Returns the places where payouts are stopped until an operator has checked them. */
async function stoppedPlaces(tx: Tx): Promise<Record<Place, boolean>> {
  const standing = tx.selectFrom('market.payout_stops').select('place').distinct().where('lifted_at', 'is', null)
  const places = (await standing.execute()).map(({ place }) => place)
  return { hot_wallet: places.includes('hot_wallet'), escrow: places.includes('escrow') }
}

/** Returns the time of the machine's clock, which no sandbox moves: a comparison's age is measured by it. */
async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  return rows[0]?.now ?? new Date(0)
}

// A ledger that was tampered with may have negative amounts.
function signed(micros: bigint): string {
  return micros < 0n ? `-${formatAmount(-micros)}` : formatAmount(micros)
}

function countsOf(findings: readonly Finding[]) {
  const counts = new Map<Finding['code'], number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, count]) => ({ code, count }))
}
