import type { components } from '../../../../sdk/generated/schema.ts'
import { locale, msg, t } from '../../../texts/texts.ts'
import { bytesText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
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
      <h3>{t('What a delivery must fulfil')}</h3>
      <ol>
        {criteria.map(({ id, text, check }) => (
          <li key={id}>
            {text}
            {check ? (
              <div className="small muted">
                {t('Checked by the service:')} <Checked check={check} />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
      {isComplete ? (
        <p className="small muted">
          {t('These checks are the whole test: a delivery that passes them in time is as agreed.')}
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
      <summary>{t('JSON of this schema')}</summary>
      <pre>{JSON.stringify(check.schema, null, 2)}</pre>
    </details>
  )
}

const UNITS = {
  zip_entries: msg('{count, plural, one {# entry of a ZIP} other {# entries of a ZIP}}'),
  json_items: msg('{count, plural, one {# item of JSON} other {# items of JSON}}'),
  csv_rows: msg('{count, plural, one {# row of CSV} other {# rows of CSV}}'),
  lines: msg('{count, plural, one {# line} other {# lines}}'),
}

function wordsOf(check: Exclude<Check, { kind: 'sha256' | 'json_schema' }>): string {
  switch (check.kind) {
    case 'media_types':
      return t('its media type is {types}', {
        types: new Intl.ListFormat(locale(), { type: 'disjunction' }).format(check.any_of),
      })
    case 'size':
      return [
        check.min_bytes === undefined ? '' : t('at least {size}', { size: bytesText(check.min_bytes) }),
        check.max_bytes === undefined ? '' : t('at most {size}', { size: bytesText(check.max_bytes) }),
      ]
        .filter(Boolean)
        .join(', ')
    case 'units':
      return check.distinct
        ? `${t(UNITS[check.of], { count: check.expected })}, ${t('all different')}`
        : t(UNITS[check.of], { count: check.expected })
    case 'exclusive':
      return t('the seller delivered the same bytes in no other order')
    case 'deadline':
      return t('it comes in time: later it is worth nothing')
  }
}
