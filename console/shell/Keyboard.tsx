import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { pathTo } from '../paths.ts'
import { Dialog } from '../ui/Dialog.tsx'
import styles from './Keyboard.module.css'
import { navigationOf } from './navigation.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

/** Ctrl or ⌘ K reaches every page by a few letters of its name, and an order by its URN. */
export function Keyboard({ isOperator }: { isOperator: boolean }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return isOpen ? <Palette isOperator={isOperator} onClose={() => setOpen(false)} /> : null
}

function Palette({ isOperator, onClose }: { isOperator: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const entries = useMemo(
    () => navigationOf({ isOperator, org: localStorage.getItem('org') ?? undefined }).flatMap((group) => group.entries),
    [isOperator],
  )
  const id = UUID.exec(text)?.[0]
  const found = id
    ? [{ title: `Order ${id}`, href: pathTo('order', { id }) }]
    : entries.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
  const go = (href: string | undefined) => {
    if (!href) return
    onClose()
    navigate(href)
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(found[0]?.href)
        }}
      >
        <input
          aria-label="Page, or an order's URN"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="Page, or an order's URN"
        />
      </form>
      <ul className={`plain ${styles.results}`}>
        {found.map(({ title, href }) => (
          <li key={href}>
            <button type="button" className="quiet" onClick={() => go(href)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
