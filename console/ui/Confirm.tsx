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
  /** True while something that it needs is missing. */
  disabled?: boolean
  busy: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that is not easily undone. */
export function Confirm(props: Props) {
  const { title, children, action, kind = 'danger', disabled = false, busy, error, onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem error={error} />
      <div className="row">
        <Button kind={kind} disabled={disabled} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
