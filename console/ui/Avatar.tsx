import styles from './Avatar.module.css'
import { colourOf, initialsOf } from './initials.ts'

/** The initials of a person, an agent or an org, in a colour of its own. The name stands beside it. */
export function Avatar({ id, name }: { id: string; name: string }) {
  return (
    <span aria-hidden="true" className={`${styles.avatar} ${styles[`colour${colourOf(id)}`]}`}>
      {initialsOf(name)}
    </span>
  )
}
