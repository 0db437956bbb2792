import { compileContracts } from '../../cli/compile.ts'
import { type GasFigures, measureGas } from './gas/measure.ts'
import { writeSnapshot } from './gas/snapshot.ts'
import { type BenchRow, beside, judged } from './rows.ts'

const TEN = 10

// Base's commerce-payments over the same USDC code, as whole transactions: `authorize`, then `capture` with a fee to
// two who had tokens, and to two who had none.
const THEIR_AUTHORIZE = 144_393
const THEIR_CAPTURE = 80_722
const THEIR_CAPTURE_TO_NEW = 114_910
const THEIR_PAYMENT = THEIR_AUTHORIZE + THEIR_CAPTURE

/** The gas of whole transactions on real USDC, beside the nearest rival's and a plain transfer in the same run. */
export async function bench({ update }: { update: boolean }): Promise<BenchRow[]> {
  await compileContracts()
  const figures = await measureGas()
  if (update) await writeSnapshot(figures)
  return [...singles(figures), ...tens(figures)]
}

function singles(figures: GasFigures): BenchRow[] {
  const { 'plain transfer to a holder': transfer, 'plain transfer to a new holder': transferToNew } = figures
  return [
    row('fund', figures.fund, THEIR_AUTHORIZE, 127_000),
    row('fundWithReceive', figures.fundWithReceive, THEIR_AUTHORIZE, 127_000),
    row('release to two with balances', figures['release to two with balances'], THEIR_CAPTURE, 58_000),
    row('release to two new', figures['release to two new'], THEIR_CAPTURE_TO_NEW, 92_000),
    beside('release to two that withdrew all', figures['release to two that withdrew all'], THEIR_CAPTURE, 'gas'),
    row('withdraw to a holder', figures['withdraw to a holder'], transfer, 56_000),
    row('withdraw to a new holder', figures['withdraw to a new holder'], transferToNew, 73_000),
  ]
}

function tens(figures: GasFigures): BenchRow[] {
  const fundPair = figures['fundBatch of ten of one pair'] / TEN
  const releasePair = figures['releaseBatch of ten of one pair'] / TEN
  const releaseToEmptied = figures['releaseBatch of ten strangers that withdrew all'] / TEN
  return [
    row('fundBatch, one pair, a hold', fundPair, THEIR_AUTHORIZE, 92_000),
    row('fundBatch, strangers, a hold', figures['fundBatch of ten strangers'] / TEN, THEIR_AUTHORIZE, 92_000),
    row('releaseBatch, one pair, a hold', releasePair, THEIR_CAPTURE, 26_000),
    row('releaseBatch, strangers, a hold', figures['releaseBatch of ten strangers'] / TEN, THEIR_CAPTURE, 26_000),
    beside('releaseBatch, strangers that withdrew all', releaseToEmptied, THEIR_CAPTURE, 'gas'),
    row('payment in tens, seller paid', figures['ten payments, seller paid'] / TEN, THEIR_PAYMENT, 112_000),
    row('payment in tens, both paid', figures['ten payments, both paid'] / TEN, THEIR_PAYMENT, 112_000),
  ]
}

function row(name: string, ours: number, yardstick: number, most: number): BenchRow {
  return judged(beside(name, ours, yardstick, 'gas'), `≤ ${most.toLocaleString('en')}`, ours <= most)
}
