import './tokens.css'
import './base.css'
import './shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { queryClient } from './data/queries.ts'
import { Shell } from './shell/Shell.tsx'
import { loadLanguage } from './texts/loadLanguage.ts'

// After a deployment an open tab misses its former files: it reloads once to get the new ones.
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 60_000) return
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
})

/** Shows the console, once the texts of the reader's language are there: those of English are in the code. */
async function start(root: HTMLElement): Promise<void> {
  await loadLanguage()
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base="/console">
          <Shell />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
