import { useState } from 'react'
import { type Message, msg, t } from '../../../texts/texts.ts'

const NEXT: Record<string, string> = { '': 'dark', dark: 'light', light: '' }
const TITLES: Record<string, Message> = {
  '': msg('Colours: as the device'),
  dark: msg('Colours: dark'),
  light: msg('Colours: light'),
}

/** Chooses dark, light, or the setting of the device. */
export function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem('theme') ?? '')
  const change = () => {
    const next = NEXT[theme] ?? ''
    if (next) {
      localStorage.setItem('theme', next)
      document.documentElement.dataset.theme = next
    } else {
      localStorage.removeItem('theme')
      delete document.documentElement.dataset.theme
    }
    setTheme(next)
  }
  return (
    <button type="button" className="quiet" onClick={change}>
      {t(TITLES[theme] ?? msg('Colours: as the device'))}
    </button>
  )
}
