import { useState } from 'react'
import type { Message } from '../../../texts/texts.ts'

const KEPT = 'folds'

/**
 * Which groups of the navigation are unfolded: the current one, unless the person has decided otherwise for a
 * group. What they decide is kept in their browser.
 */
export function useFolds(current: Message): {
  isUnfolded: (title: Message) => boolean
  turn: (title: Message) => void
} {
  const [decided, setDecided] = useState(read)
  const isUnfolded = (title: Message) => decided[String(title)] ?? title === current
  const turn = (title: Message) => {
    const { [String(title)]: _before, ...rest } = decided
    const wanted = !isUnfolded(title)
    const next = wanted === (title === current) ? rest : { ...rest, [String(title)]: wanted }
    localStorage.setItem(KEPT, JSON.stringify(next))
    setDecided(next)
  }
  return { isUnfolded, turn }
}

function read(): Readonly<Record<string, boolean>> {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, boolean> | null) ?? {}
  } catch {
    return {}
  }
}
