import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Problem } from './Problem.tsx'

interface Props {
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** What the button says: the act itself. */
  action: string
  kind?: 'primary' | 'danger'
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that is not easily undone. */
export function Confirm({ title, children, action, kind = 'danger', busy, error, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem error={error} />
      <div className="row">
        <Button kind={kind} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
