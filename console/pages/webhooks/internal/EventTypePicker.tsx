import { useState } from 'react'
import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import styles from './EventTypePicker.module.css'

const EVERYTHING = '*'

interface Props {
  /** The name of the form's field: each pattern that is chosen is a value of it. */
  name: string
  /** Whether the webhook is an org's: the market's webhooks get other types. */
  isOfOrg: boolean
  chosen?: readonly string[]
}

/** Chooses types of events by what they are about: each alone, all of a thing, or all that there are. */
export function EventTypePicker({ name, isOfOrg, chosen: given = [EVERYTHING] }: Props) {
  const { data, error } = useRead('listEventTypes', {})
  const [chosen, setChosen] = useState<readonly string[]>(given)
  const toggle = (pattern: string) =>
    setChosen(chosen.includes(pattern) ? chosen.filter((one) => one !== pattern) : [...chosen, pattern])
  const types = data?.types.filter(({ is_of_org }) => is_of_org === isOfOrg) ?? []
  const isAll = chosen.includes(EVERYTHING)
  return (
    <fieldset className={styles.picker}>
      <legend>{t('Events')}</legend>
      <Problem error={error} />
      {chosen.map((pattern) => (
        <input key={pattern} type="hidden" name={name} value={pattern} />
      ))}
      <label className="choice">
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => setChosen(isAll ? chosen.filter((one) => one !== EVERYTHING) : [EVERYTHING])}
        />
        {t('All events, also of types that are added later')}
      </label>
      {isAll
        ? null
        : Object.entries(Object.groupBy(types, ({ event_type }) => domainOf(event_type))).map(
            ([domain, group = []]) => (
              <Domain key={domain} domain={domain} types={group} chosen={chosen} toggle={toggle} />
            ),
          )}
    </fieldset>
  )
}

interface DomainProps {
  domain: string
  types: readonly { event_type: string; when: string }[]
  chosen: readonly string[]
  toggle: (pattern: string) => void
}

function Domain({ domain, types, chosen, toggle }: DomainProps) {
  const whole = `${domain}.*`
  const isWhole = chosen.includes(whole)
  const count = isWhole ? types.length : types.filter(({ event_type }) => chosen.includes(event_type)).length
  return (
    <details>
      <summary>
        <span className="mono">{domain}</span>{' '}
        <span className="small muted">{t('{count} of {types}', { count, types: types.length })}</span>
      </summary>
      <div className={styles.types}>
        <label className="choice">
          <input type="checkbox" checked={isWhole} onChange={() => toggle(whole)} />
          <span>
            <span className="mono">{whole}</span> <span className="small muted">{t('all of them')}</span>
          </span>
        </label>
        {types.map(({ event_type: type, when }) => (
          <label key={type} className="choice">
            <input
              type="checkbox"
              checked={isWhole || chosen.includes(type)}
              disabled={isWhole}
              onChange={() => toggle(type)}
            />
            <span>
              <span className="mono">{type}</span> <span className="small muted">{when}</span>
            </span>
          </label>
        ))}
      </div>
    </details>
  )
}

function domainOf(type: string): string {
  return type.split('.')[0] ?? type
}
