import { type KeyboardEvent, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Dialog } from '../../../ui/forms/Dialog.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { navigationOf } from '../../navigation/navigation.ts'
import styles from './Keyboard.module.css'

interface Found {
  title: string
  href: string
}

const URN = /(?:market:(\w+):)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => pathTo('order', { id }),
  ask: (id) => pathTo('ask', { id }),
  bid: (id) => pathTo('bid', { id }),
  agent: (id) => pathTo('seller', { id }),
  dispute: (id) => pathTo('dispute', { id }),
  webhook: (id) => pathTo('webhook', { id }),
}

/** Finds pages by their names, orders by their titles, and things by their URNs. */
export function Palette({ isOperator, onClose }: { isOperator: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const { items: orders = [] } = useList('listOrders', { query: { limit: 100 } })
  const pages = useMemo(
    () =>
      navigationOf({ isOperator, org: localStorage.getItem('org') ?? undefined })
        .flatMap((group) => group.entries)
        .map(({ title, href }) => ({ title: t(title), href })),
    [isOperator],
  )
  const named = orders.map(({ urn, title, state }) => ({
    title: `${title ?? t('Order')} · ${word(state)}`,
    href: pathTo('order', { id: urn.body }),
  }))
  const found = find(text, pages, named)
  const go = (href: string | undefined) => {
    if (!href) return
    onClose()
    navigate(href)
  }
  return (
    <Dialog title={t('Go to')} onClose={onClose}>
      <Form onSubmit={() => go(found[0]?.href)}>
        <input
          aria-label={t('A page, an order’s title, or a URN')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={move}
          placeholder={t('A page, an order’s title, or a URN')}
        />
      </Form>
      <ul className={`plain ${styles.results}`}>
        {found.map(({ title, href }) => (
          <li key={href}>
            <button type="button" className="quiet" onClick={() => go(href)} onKeyDown={move}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function find(text: string, pages: readonly Found[], orders: readonly Found[]): Found[] {
  const [, prefix = 'order', id] = URN.exec(text) ?? []
  if (id) {
    const href = PAGES[prefix]?.(id)
    return href ? [{ title: `${word(prefix)} ${id}`, href }] : []
  }
  const words = text.trim().toLowerCase()
  const found = [...pages, ...(words ? orders : [])].filter(({ title }) => title.toLowerCase().includes(words))
  const search = {
    title: t('Search the market for “{text}”', { text: text.trim() }),
    href: `/market?q=${encodeURIComponent(text.trim())}`,
  }
  return words ? [...found, search] : found
}

/** The arrows move the focus along what was found. */
function move(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const places = [
    ...(event.currentTarget.closest('dialog')?.querySelectorAll<HTMLElement>('form input, li button') ?? []),
  ]
  places[places.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
