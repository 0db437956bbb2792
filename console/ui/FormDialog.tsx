import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Problem } from './Problem.tsx'

interface Props {
  title: string
  /** What the button says. */
  submit: string
  isDanger?: boolean
  busy: boolean
  error: unknown
  onClose: () => void
  onSubmit: (form: FormData) => void
  children: ReactNode
}

/** A form in a dialog: what went wrong stands beside what was typed, and the dialog stays until it is done. */
export function FormDialog({ title, submit, isDanger = false, busy, error, onClose, onSubmit, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(new FormData(event.currentTarget))
        }}
      >
        {children}
        <Problem error={error} />
        <div className="row">
          <Button type="submit" kind={isDanger ? 'danger' : 'primary'} busy={busy}>
            {submit}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Returns what was typed in a field of a form. */
export function typed(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
