import { type ReactNode, useState } from 'react'
import styles from '../PageTree.module.css'
import type { PageMove } from './usePageMove.ts'

interface Props {
  tree: PageMove
  space: string
  /** The page below which a dropped page goes; null for the top of the space. */
  parent: string | null
  className: string | undefined
  children: ReactNode
}

/** A line of the tree, on which a page can be dropped. */
export function DropPlace({ tree, space, parent, className, children }: Props) {
  const [isOver, setOver] = useState(false)
  const place = { space, parent }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the page's button Move.
    <div
      className={`${className} ${styles.drop}`}
      data-over={isOver}
      onDragOver={(event) => {
        if (!tree.takes(place)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        tree.drop(place)
      }}
    >
      {children}
    </div>
  )
}
