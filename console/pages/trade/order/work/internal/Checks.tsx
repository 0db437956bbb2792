import type { CheckResult } from '../../../../../../sdk/deliver.ts'
import { msg, t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import styles from '../Delivered.module.css'

interface ChecksProps {
  results: readonly CheckResult[]
  criteria: readonly { text: string }[] | undefined
}

/** What the checks of the criteria find in a delivery, beside the words of each criterion. */
export function Checks({ results, criteria = [] }: ChecksProps) {
  if (results.length === 0) return null
  return (
    <ul className={`plain small ${styles.checks}`}>
      {results.map(({ number, kind, result, found, expected }) => (
        <li key={number} className={result === 'fail' ? styles.fails : undefined}>
          <span aria-hidden="true">{MARKS[result]}</span>{' '}
          {t('criterion {number}, {kind}: {result}', {
            number,
            kind: word(kind),
            result: [
              t(RESULTS[result]),
              found,
              expected === undefined ? undefined : t('instead of {expected}', { expected }),
            ]
              .filter((part) => part !== undefined)
              .join(', '),
          })}
          {criteria[number - 1] ? <span className="muted"> · {criteria[number - 1]?.text}</span> : null}
        </li>
      ))}
    </ul>
  )
}

const MARKS = { pass: '✓', fail: '✕', unchecked: '○' }
const RESULTS = { pass: msg('met'), fail: msg('not met'), unchecked: msg('could not be checked') }
