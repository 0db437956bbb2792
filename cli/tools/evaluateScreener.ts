import { parseArgs } from 'node:util'
import { readSides, screeningReport, screenSides } from '../../api/evaluation/screening.ts'
import { Misuse } from '../terminal/options.ts'

const USAGE = `Usage: ./market evaluate-screener [FILE] [--wrong]

Says how many attacks of each kind the screener finds, and how many innocent sides it flags by mistake: of the sides of FILE, else of the
project's own set. The format is in evaluation/README.md. --wrong lists the ids of both.`

/** Scores the screener on labelled sides. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { wrong: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (positionals.length > 1) throw new Misuse(`One file, please.\n${USAGE}`)
  const figures = screenSides(await readSides(positionals[0]))
  console.log(screeningReport(figures))
  if (values.wrong) {
    console.log(`Not found: ${figures.missed.join(', ') || 'none'}.`)
    console.log(`Flagged by mistake: ${figures.mistaken.join(', ') || 'none'}.`)
  }
  return 0
}
