import { ARGUED_PAGE } from './argued.ts'
import type { Mutant, Score } from './score.ts'

/** Returns the result of a run on some code as text: the survivors and their changes, then the score. */
export function report(name: string, score: Score, goalPercent: number): string {
  const { killed, timeouts, survivors, argued, stale, stillborn, percent } = score
  return [
    ...survivors.map((mutant) => `Survived: ${describe(mutant)}`),
    ...timeouts.map(({ mutant }) => `Killed by the timeout: ${describe(mutant)}`),
    ...stale.map((key) => `No longer survives, or is no mutant any more; take it out of ${ARGUED_PAGE}:\n  ${key}`),
    `${killed.length} killed (${timeouts.length} by the timeout), ${survivors.length} survived, ` +
      `${argued.length} argued in ${ARGUED_PAGE}`,
    ...(stillborn === 0 ? [] : [`Not counted: ${stillborn} that do not compile`]),
    `Mutation score of ${name} ${percent.toFixed(1)}%, goal ${goalPercent}%`,
  ].join('\n')
}

function describe({ path, line, operator, key, before, after }: Mutant): string {
  return [`${path}:${line} (${operator}) ${key}`, ...prefixed('- ', before), ...prefixed('+ ', after)].join('\n')
}

function prefixed(prefix: string, text: string): string[] {
  return text.split('\n').map((line) => `  ${prefix}${line}`)
}
