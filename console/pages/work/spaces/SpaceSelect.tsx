import type { useSpaces } from '../../../data/org.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'

interface Props {
  spaces: ReturnType<typeof useSpaces>
  label?: string
  /** The first choice, which names no space. Without it, a space must be chosen. */
  none?: string
  value?: string
  onChange?: (space: string) => void
}

/** Chooses a space. Its name in a form is `space`. */
export function SpaceSelect({ spaces, label = t('Space'), none, value, onChange }: Props) {
  return (
    <Field label={label} name="space">
      {(props) => (
        <select {...props} required={!none} value={value} onChange={(event) => onChange?.(event.target.value)}>
          {none ? <option value="">{none}</option> : null}
          {spaces?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
