import { type ReactNode, useId } from 'react'
import styles from './Section.module.css'

/** A part of a page under its heading, with what can be done in it beside that. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className="row spread">
        <h2 id={id}>{title}</h2>
        {actions ? <div className="row">{actions}</div> : null}
      </div>
      {children}
    </section>
  )
}
