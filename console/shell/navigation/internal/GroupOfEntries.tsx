import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { type Message, t } from '../../../texts/texts.ts'
import styles from '../Navigation.module.css'
import type { Entry, Group } from '../navigation.ts'

interface Props {
  group: Group
  isUnfolded: boolean
  onTurn: (title: Message) => void
  children: ReactNode
}

/** A group of the navigation below its heading, which folds and unfolds it. */
export function GroupOfEntries({ group: { title }, isUnfolded, onTurn, children }: Props) {
  const id = useId()
  if (title === undefined) return <div>{children}</div>
  return (
    <div>
      <h2 className={styles.group}>
        <button type="button" aria-expanded={isUnfolded} aria-controls={id} onClick={() => onTurn(title)}>
          {t(title)}
        </button>
      </h2>
      <div id={id} hidden={!isUnfolded}>
        {children}
      </div>
    </div>
  )
}

/** A link of the navigation. */
export function Item({ entry, isHere, onClick }: { entry: Entry; isHere: boolean; onClick: () => void }) {
  return (
    <Link href={entry.href} className={styles.item} aria-current={isHere ? 'page' : undefined} onClick={onClick}>
      {t(entry.title)}
    </Link>
  )
}
