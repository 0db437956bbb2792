import { parseArgs } from 'node:util'
import type { BenchRow } from '../../bench/rows.ts'
import { compileWithTests } from '../stack/compile.ts'
import { showStep } from '../terminal/progress.ts'

const USAGE = `Usage: ./market bench <area> [--json] [--update]

Measures, beside a yardstick in the same run where there is one. Areas: api, arbitration, console, events, facilitator, gas, idle, junk, ledger,
lists, minute, reputation, search, settle, trade, uploads.
--update, for gas: writes the figures down as the ones the tests expect (test/contracts/gas.snapshot.json).`

const BOOLEAN = { type: 'boolean', default: false } as const

/** The module of an area. `bench` returns its rows; it starts and stops whatever it needs. */
interface Bench {
  bench: (options: { update: boolean }) => Promise<BenchRow[]>
}

const AREAS: Record<string, () => Promise<Bench>> = {
  api: () => import('../../bench/api.ts'),
  arbitration: () => import('../../bench/arbitration.ts'),
  console: () => import('../../bench/console.ts'),
  events: () => import('../../bench/events.ts'),
  facilitator: () => import('../../bench/facilitator.ts'),
  gas: () => import('../../bench/gas.ts'),
  idle: () => import('../../bench/idle.ts'),
  junk: () => import('../../bench/junk.ts'),
  ledger: () => import('../../bench/ledger.ts'),
  lists: () => import('../../bench/lists.ts'),
  minute: () => import('../../bench/minute.ts'),
  reputation: () => import('../../bench/reputation.ts'),
  search: () => import('../../bench/search.ts'),
  settle: () => import('../../bench/settle.ts'),
  trade: () => import('../../bench/trade.ts'),
  uploads: () => import('../../bench/uploads.ts'),
}

/** Measures one area. Returns 1 if a goal was missed. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: BOOLEAN, update: BOOLEAN, help: BOOLEAN },
  })
  const [area = ''] = positionals
  const load = AREAS[area]
  if (values.help || !load) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  // Some areas deploy contracts that exist only for tests.
  await showStep('Compiling the contracts', compileWithTests)
  const rows = await (await load()).bench({ update: values.update })
  console.log(values.json ? JSON.stringify({ area, rows }, null, 2) : rows.map(line).join('\n'))
  return rows.some(({ met }) => met === false) ? 1 : 0
}

function line({ name, ours, yardstick, unit, ratio, goal, met }: BenchRow): string {
  const against = yardstick === null ? '' : `  yardstick ${round(yardstick)} ${unit}  ratio ${round(ratio ?? 0)}`
  const judged = goal === null ? '' : `  goal ${goal}  ${met ? 'met' : 'MISSED'}`
  return `${name.padEnd(36)}${String(round(ours)).padStart(10)} ${unit}${against}${judged}`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
