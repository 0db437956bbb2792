import { type ReactNode, useContext, useId } from 'react'
import { ApiProblem } from '../../../sdk/problem.ts'
import styles from './Field.module.css'
import { FormError } from './Form.tsx'

interface Props {
  label: string
  hint?: ReactNode
  /** The field's name in the call: an error that names it is shown here. */
  name?: string
  /** The error of a call that no form makes. In a form it is the form's. */
  error?: unknown
  children: (props: { id: string; name?: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

/** A labelled input: `<Field label="Title">{(props) => <input {...props} />}</Field>`. */
export function Field({ label, hint, name, error: ownError, children }: Props) {
  const id = useId()
  const formError = useContext(FormError)
  const error = ownError ?? formError
  const isOfThis = name !== undefined && error instanceof ApiProblem && error.field === name
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(name === undefined ? {} : { name }),
        'aria-describedby': `${id}-hint`,
        'aria-invalid': isOfThis,
      })}
      <div id={`${id}-hint`} className="small muted">
        {isOfThis ? (
          <span role="alert" className={styles.wrong}>
            {sentenceOf(error, name)}
          </span>
        ) : (
          hint
        )}
      </div>
    </div>
  )
}

/**
 * Returns what an error says of a field, without the field's name in the call and what it says of the others.
 */
function sentenceOf({ detail = '' }: ApiProblem, name: string): string {
  if (!detail.startsWith(`${name}: `)) return detail
  const [own = ''] = detail.slice(name.length + 2).split(/ (?=[a-z_][\w.]*: )/)
  return `${own.charAt(0).toUpperCase()}${own.slice(1)}`
}
