import type { CheckResult } from '../../../api/trading/criteria/results.ts'
import { printable } from '../../terminal/text.ts'

const SIGNS: Readonly<Record<CheckResult['result'], string>> = { pass: '✓', fail: '✕', unchecked: '○' }
const WORDS: Readonly<Record<CheckResult['result'], string>> = {
  pass: 'met',
  fail: 'not met',
  unchecked: 'could not be checked',
}

/**
 * Returns the results of checks as people read them, one line each, with the words of the criterion where
 * they are known.
 */
export function checksText(results: readonly CheckResult[], criteria: readonly { text: string }[] = []): string {
  const lines = results.map(({ number, kind, result, found, expected }) => {
    const counted = found === undefined ? '' : `, ${found}${expected === undefined ? '' : ` of ${expected}`}`
    const text = criteria[number - 1]?.text
    const words = text === undefined ? '' : `  ${printable(text)}`
    return `  ${SIGNS[result]} criterion ${number}, ${kind.replaceAll('_', ' ')}: ${WORDS[result]}${counted}${words}`
  })
  return lines.join('\n')
}
