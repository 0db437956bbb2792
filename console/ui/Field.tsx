import { type ReactNode, useContext, useId } from 'react'
import { ApiProblem } from '../../sdk/problem.ts'
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
            {error.detail}
          </span>
        ) : (
          hint
        )}
      </div>
    </div>
  )
}
