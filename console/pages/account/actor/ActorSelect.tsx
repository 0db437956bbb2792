import { useMe } from '../../../data/me.ts'
import { useList } from '../../../data/queries.ts'
import { urnText } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import styles from './ActorSelect.module.css'

interface Props {
  label: string
  /** The URN of an agent, or undefined for the person. */
  value: string | undefined
  onChange: (actor: string | undefined) => void
}

/** Chooses the person or one of their agents. */
export function ActorSelect({ label, value, onChange }: Props) {
  const me = useMe()
  const { items } = useList('listAgents', { query: { limit: 100 } })
  return (
    <div className={styles.actor}>
      <Field label={label}>
        {(props) => (
          <select {...props} value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
            <option value="">{t('{displayName} (you)', { displayName: me.display_name })}</option>
            {items?.map(({ urn, display_name }) => (
              <option key={urn.body} value={urnText(urn)}>
                {display_name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
