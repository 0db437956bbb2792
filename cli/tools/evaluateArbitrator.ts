import { parseArgs } from 'node:util'
import { modelOf } from '../../api/config/arbitrator.ts'
import { readCases } from '../../api/evaluation/cases.ts'
import { baselinesOf, detailsOf, outcomesOf, reportOf } from '../../api/evaluation/report.ts'
import { arbitratorOf, ruleAll } from '../../api/evaluation/run.ts'
import { score } from '../../api/evaluation/score.ts'
import { readArbitratorEnvironment } from '../machine/env.ts'
import { Misuse } from '../terminal/options.ts'

const USAGE = `Usage: ./market evaluate-arbitrator [FILE...] [--arbitrator rules|model] [--usd-per-million IN,OUT] [--json]

Scores an arbitrator by labelled disputes: those of the files or folders, else the project's own in evaluation/. The format is in
evaluation/README.md. The arbitrator is the rules, or the rules with the model that ARBITRATOR and its variables name
(docs/operate/environment.md); --usd-per-million gives what a million of its tokens costs, in and out.

Exits with 0; with 1 if hostile text has moved an outcome towards its author, or a file is not in the format; with 2 for a wrong call.`

const MODEL_TOLERANCE_BPS = 500

/** Scores an arbitrator on an evaluation set. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      arbitrator: { type: 'string', default: 'rules' },
      'usd-per-million': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { arbitrator } = values
  if (arbitrator !== 'rules' && arbitrator !== 'model') throw new Misuse(`--arbitrator is rules or model.\n${USAGE}`)
  const prices = pricesOf(values['usd-per-million'])
  const isModel = arbitrator === 'model'
  const model = isModel ? modelOf(readArbitratorEnvironment()) : undefined
  if (isModel && !model) throw new Error('Set ARBITRATOR and its variables to the model that is to be scored.')
  const cases = await readCases(positionals.length > 0 ? positionals : undefined)
  const ruled = await ruleAll(cases, arbitratorOf(model))
  const evaluation = score(ruled, { reads: isModel, toleranceBps: isModel ? MODEL_TOLERANCE_BPS : 0 })
  if (values.json) {
    const baselines = Object.fromEntries(baselinesOf(cases))
    console.log(JSON.stringify({ arbitrator, ...evaluation, baselines, outcomes: outcomesOf(ruled) }, null, 2))
  } else {
    console.log(`${reportOf(arbitrator, evaluation, cases)}\n\n${detailsOf(ruled, evaluation, prices)}`)
  }
  return evaluation.injectionWins.length > 0 ? 1 : 0
}

function pricesOf(given: string | undefined): [number, number] | undefined {
  if (given === undefined) return undefined
  const [input, output, ...more] = given.split(',').map(Number)
  const isTwo = input !== undefined && output !== undefined && more.length === 0 && input >= 0 && output >= 0
  if (!isTwo) throw new Misuse('--usd-per-million needs two numbers, such as 3,15.')
  return [input, output]
}
