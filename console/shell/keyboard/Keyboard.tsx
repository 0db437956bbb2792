import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { pathTo } from '../../routing/paths.ts'
import { FOCUS_SEARCH } from '../../routing/useSearchFocus.ts'
import { KeyHelp } from './internal/KeyHelp.tsx'
import { GOES, isOn } from './internal/keys.ts'
import { Palette } from './internal/Palette.tsx'

/** The dialog that the keyboard has opened. */
export type Opened = 'palette' | 'help'

interface Props {
  isOperator: boolean
  opened: Opened | undefined
  setOpened: (opened: Opened | undefined) => void
}

const PREFIX_MS = 1_500

/** Ctrl or ⌘ K opens the palette; single keys go to pages, along lists, and to the actions of an order. */
export function Keyboard({ isOperator, opened, setOpened }: Props) {
  const [, navigate] = useLocation()
  useEffect(() => {
    const onKey = keyListener({ setOpened, navigate })
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, setOpened])
  const close = () => setOpened(undefined)
  if (opened === 'palette') return <Palette isOperator={isOperator} onClose={close} />
  return opened === 'help' ? <KeyHelp onClose={close} /> : null
}

interface Means {
  setOpened: (opened: Opened) => void
  navigate: (href: string, options?: { state: unknown }) => void
}

/** Returns what listens to keys. A `g` counts for the next key alone. */
function keyListener(means: Means): (event: KeyboardEvent) => void {
  let prefixedAt = Number.NEGATIVE_INFINITY
  return (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault()
      means.setOpened('palette')
      return
    }
    if (!isSingle(event)) return
    const isPrefixed = event.timeStamp - prefixedAt < PREFIX_MS
    prefixedAt = event.key === 'g' && !isPrefixed ? event.timeStamp : Number.NEGATIVE_INFINITY
    const isTaken = isPrefixed ? goTo(event.key, means.navigate) : act(event.key, means)
    if (isTaken) event.preventDefault()
  }
}

function isPaletteKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey)
}

function goTo(key: string, navigate: (href: string) => void): boolean {
  const goal = GOES[key]
  if (goal) navigate(goal.href)
  return goal !== undefined
}

/** Whether a key is a single one: no text is being typed, and no dialog is open. */
function isSingle(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !isOn() || document.querySelector('dialog[open]')) return false
  const [target] = event.composedPath()
  return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')))
}

/** Runs the action of a single key. Returns false for a key without one. */
function act(key: string, { setOpened, navigate }: Means): boolean {
  if (key === '?') setOpened('help')
  else if (key === '/') search(navigate)
  else if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1)
  else return press(key)
  return true
}

/** Focuses the search field of the page, else opens the search of its org or of the market. */
function search(navigate: Means['navigate']): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) {
    field.focus()
    return
  }
  const [, org] = /\/orgs\/([^/]+)/.exec(location.pathname) ?? []
  const href = org ? pathTo('search', { org: decodeURIComponent(org) }) : pathTo('market')
  navigate(href, { state: FOCUS_SEARCH })
}

/** Moves the focus along the first links of a page's rows; Enter then opens one. */
function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll('main tbody tr')]
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a, button') ?? [])
  const here = links.indexOf(document.activeElement as HTMLElement)
  const next = links[here === -1 && by === -1 ? links.length - 1 : here + by]
  next?.focus()
  return next !== undefined
}

/** Clicks a button that asks again. Only focuses one that would act at once. */
function press(key: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`main button[data-key="${CSS.escape(key)}"]:enabled`)
  if (!button) return false
  button.focus()
  if (button.dataset.asks === 'true') button.click()
  return true
}
