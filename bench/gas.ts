import { compileContracts } from '../cli/stack/compile.ts'
import { type GasFigures, measureGas } from './gas/measure.ts'
import { writeSnapshot } from './gas/snapshot.ts'
import { type BenchRow, beside, judged } from './rows.ts'

// Base's commerce-payments over the same USDC code, as whole transactions: `authorize`, then `capture` with a
// fee to two who had tokens, and to two who had none.
const THEIR_AUTHORIZE = 144_393
const THEIR_CAPTURE = 80_722
const THEIR_CAPTURE_TO_NEW = 114_910

/**
 * The gas of whole transactions on real USDC, beside the nearest rival's and a plain transfer in the same
 * run.
 */
export async function bench({ update }: { update: boolean }): Promise<BenchRow[]> {
  await compileContracts()
  const figures = await measureGas()
  if (update) await writeSnapshot(figures)
  return rows(figures)
}

function rows(figures: GasFigures): BenchRow[] {
  const { 'plain transfer to a holder': transfer, 'plain transfer to a new holder': transferToNew } = figures
  return [
    row('fund', figures.fund, THEIR_AUTHORIZE, 132_000),
    row('fundWithReceive', figures.fundWithReceive, THEIR_AUTHORIZE, 132_000),
    row('release to two with balances', figures['release to two with balances'], THEIR_CAPTURE, 62_000),
    row('release to two new', figures['release to two new'], THEIR_CAPTURE_TO_NEW, 97_000),
    beside('release to two that withdrew all', figures['release to two that withdrew all'], THEIR_CAPTURE, 'gas'),
    row('withdraw to a holder', figures['withdraw to a holder'], transfer, 62_000),
    row('withdraw to a new holder', figures['withdraw to a new holder'], transferToNew, 79_000),
  ]
}

function row(name: string, ours: number, yardstick: number, most: number): BenchRow {
  return judged(beside(name, ours, yardstick, 'gas'), `≤ ${most.toLocaleString('en')}`, ours <= most)
}
