import type { ReactNode } from 'react'
import { Button } from '../forms/Button.tsx'

/** Saves what a page shows as a file of JSON. */
export function SaveJson({ name, value, children }: { name: string; value: object; children: ReactNode }) {
  const save = () => {
    const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
    Object.assign(document.createElement('a'), { href, download: `${name}.json` }).click()
  }
  return <Button onClick={save}>{children}</Button>
}
