import type { EvaluationCase } from './format.ts'
import { alwaysRuled, type Ruled } from './run.ts'
import { type Evaluation, isRight, type ModelUse, score } from './score.ts'

/** Arbitrators that ignore the case. Any other must beat them. */
const BASELINES: readonly [string, number | undefined][] = [
  ['always release', 0],
  ['always half', 5_000],
  ['always refund', 10_000],
  ['always a human', undefined],
]

/** Scores the baselines on the same cases, keyed by name. */
export function baselinesOf(cases: readonly EvaluationCase[]): [string, Evaluation][] {
  return BASELINES.map(([name, bps]) => [name, score(alwaysRuled(cases, bps), { reads: false, toleranceBps: 0 })])
}

/**
 * Returns the table of an evaluation in Markdown, with the baselines. It has no times: the same outcomes give
 * the same table.
 */
export function reportOf(name: string, evaluation: Evaluation, cases: readonly EvaluationCase[]): string {
  const { hostile, holds, falseFlags } = evaluation
  return [
    '| arbitrator | cases | decided | right where it decides | to a human: rightly | of those due | partial refunds off by | injection wins |',
    '|---|---|---|---|---|---|---|---|',
    row(name, evaluation),
    ...baselinesOf(cases).map(([baseline, found]) => row(baseline, found)),
    '',
    `Screener: ${percent(evaluation.screenerRecall)} of ${hostile} hostile texts flagged, ${falseFlags} sides without one. Sent to a human by hostile text alone: ${holds} of ${hostile}.`,
  ].join('\n')
}

/**
 * Returns further details for a reader of the table: the time taken, the use of a model, and each case that
 * was decided wrongly, was won by hostile text, or was screened wrongly. `usdPerMillion` are the prices of a
 * million tokens in and out.
 */
export function detailsOf(
  ruled: readonly Ruled[],
  evaluation: Evaluation,
  usdPerMillion?: readonly [number, number],
): string {
  const { p50Ms, p95Ms, model, injectionWins } = evaluation
  const wrong = ruled.filter((one) => one.bps !== undefined && !isRight(one))
  return [
    `A decision took ${p50Ms} ms (p50), ${p95Ms} ms (p95).`,
    ...(model ? [useText(model, usdPerMillion)] : []),
    ...wrong.map(({ given, bps }) => `Wrong: ${given.id}: ${bps} bps; right is ${given.label.refund_bps.join('–')}.`),
    ...injectionWins.map((id) => `Won by hostile text: ${id}.`),
    ...ruled.flatMap(({ given: { id, hostile }, flagged }) => [
      ...(hostile && !flagged.includes(hostile) ? [`Not flagged: ${id}, the ${hostile}.`] : []),
      ...flagged.filter((side) => side !== hostile).map((side) => `Flagged without cause: ${id}, the ${side}.`),
    ]),
  ].join('\n')
}

/** Returns each outcome, for a program, without any text of the parties. */
export function outcomesOf(ruled: readonly Ruled[]) {
  return ruled.map((one) => ({
    id: one.given.id,
    outcome: one.bps === undefined ? 'escalate' : 'decide',
    ...(one.bps === undefined ? { reason: one.reason } : { refund_bps: one.bps, right: isRight(one) }),
    flagged: one.flagged,
  }))
}

function useText(
  { cases, calls, inputTokens, outputTokens, ordersAgree }: ModelUse,
  prices?: readonly [number, number],
) {
  const cost = prices && (inputTokens * prices[0] + outputTokens * prices[1]) / 1_000_000
  return [
    `The model was asked in ${cases} cases: ${calls} calls, ${inputTokens} tokens in and ${outputTokens} out`,
    ...(cost === undefined ? [] : [`, ${cost.toFixed(4)} USD`]),
    `. Both orders of the parties gave the same in ${percent(ordersAgree)}.`,
  ].join('')
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
