import type { components } from '../../../sdk/generated/schema.ts'
import { bytesText } from '../../ui/format.ts'
import { Hash } from '../../ui/Hash.tsx'
import styles from './Criteria.module.css'

type Criterion = components['schemas']['Criterion']
type Check = NonNullable<Criterion['check']>

interface Props {
  criteria: readonly Criterion[] | undefined
  isComplete: boolean | undefined
}

/** The criteria of a delivery, in words, with the checks of the service. Renders nothing without criteria. */
export function Criteria({ criteria, isComplete }: Props) {
  if (!criteria?.length) return null
  return (
    <div className={styles.criteria}>
      <h3>What a delivery must fulfil</h3>
      <ol>
        {criteria.map(({ id, text, check }) => (
          <li key={id}>
            {text}
            {check ? (
              <div className="small muted">
                Checked by the service: <Checked check={check} />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
      {isComplete ? (
        <p className="small muted">
          These checks are the whole test: a delivery that passes them in time is as agreed.
        </p>
      ) : null}
    </div>
  )
}

function Checked({ check }: { check: Check }) {
  if (check.kind === 'sha256') return <Hash value={check.sha256} />
  if (check.kind !== 'json_schema') return wordsOf(check)
  return (
    <details>
      <summary>JSON of this schema</summary>
      <pre>{JSON.stringify(check.schema, null, 2)}</pre>
    </details>
  )
}

function wordsOf(check: Exclude<Check, { kind: 'sha256' | 'json_schema' }>): string {
  switch (check.kind) {
    case 'media_types':
      return `its media type is ${check.any_of.join(' or ')}`
    case 'size':
      return [
        check.min_bytes === undefined ? '' : `at least ${bytesText(check.min_bytes)}`,
        check.max_bytes === undefined ? '' : `at most ${bytesText(check.max_bytes)}`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'units':
      return `${check.expected} ${check.of.replaceAll('_', ' ')}${check.distinct ? ', all different' : ''}`
    case 'exclusive':
      return 'the seller delivered the same bytes in no other order'
    case 'deadline':
      return 'it comes in time: later it is worth nothing'
  }
}
