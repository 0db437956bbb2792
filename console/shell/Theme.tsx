import { useState } from 'react'

const NEXT: Record<string, string> = { '': 'dark', dark: 'light', light: '' }
const TITLES: Record<string, string> = { '': 'as the device', dark: 'dark', light: 'light' }

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
      Colours: {TITLES[theme]}
    </button>
  )
}
