import { type ReactNode, useId } from 'react'
import { ApiProblem } from '../../sdk/problem.ts'
import styles from './Field.module.css'

interface Props {
  label: string
  hint?: ReactNode
  /** The error of the call that takes this field, and the field's name there: shown here if it is about this one. */
  error?: unknown
  name?: string
  children: (props: { id: string; name?: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

/** A labelled input: `<Field label="Title">{(props) => <input {...props} />}</Field>`. */
export function Field({ label, hint, error, name, children }: Props) {
  const id = useId()
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
        {isOfThis ? <span className={styles.wrong}>{error.detail}</span> : hint}
      </div>
    </div>
  )
}
