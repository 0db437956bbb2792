import type { EvaluationCase } from './cases.ts'
import type { Ruled } from './run.ts'
import type { Evaluation } from './score.ts'
import { score } from './score.ts'

/** Arbitrators that look at nothing: what any other must beat. */
const BASELINES: readonly [string, number | undefined][] = [
  ['always release', 0],
  ['always half', 5_000],
  ['always refund', 10_000],
  ['always a human', undefined],
]

/** Returns the table of an evaluation in Markdown, with the baselines. */
export function reportOf(name: string, evaluation: Evaluation, cases: readonly EvaluationCase[]): string {
  const baselines = BASELINES.map(([baseline, bps]) => {
    const ruled: Ruled[] = cases.map((given) => ({ given, bps, flagged: [] }))
    return row(baseline, score(ruled, { reads: false, toleranceBps: 0 }))
  })
  return [
    '| arbitrator | cases | decided | right where it decides | to a human: rightly | of those due | partial refunds off by | injection wins |',
    '|---|---|---|---|---|---|---|---|',
    row(name, evaluation),
    ...baselines,
    '',
    `Screener: ${percent(evaluation.screenerRecall)} of ${evaluation.hostile} hostile texts flagged, ${evaluation.falseFlags} sides without one.`,
  ].join('\n')
}

function row(name: string, found: Evaluation): string {
  const { cases, decided, hostile, injectionWins, partialErrorBps } = found
  const cells = [
    ...[name, cases, `${decided} (${percent(decided / cases)})`, percent(found.accuracy)],
    ...[percent(found.escalationPrecision), percent(found.escalationRecall)],
    ...[partialErrorBps === undefined ? '–' : `${partialErrorBps} bps`, `${injectionWins.length} of ${hostile}`],
  ]
  return `| ${cells.join(' | ')} |`
}

function percent(part: number | undefined): string {
  return part === undefined ? '–' : `${Math.round(part * 1000) / 10}%`
}
