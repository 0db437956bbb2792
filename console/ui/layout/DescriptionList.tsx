import type { ReactNode } from 'react'
import styles from './DescriptionList.module.css'

/** Names and values under each other. A value that is undefined is left out. */
export function DescriptionList({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.list}>
      {items
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
