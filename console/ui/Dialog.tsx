import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  title: string
  /** Without it, the person cannot close the dialog. */
  onClose?: () => void
  children: ReactNode
}

/** A modal dialog. Escape closes it; the browser keeps the focus inside. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className="stack">
        <div className="row spread">
          <h2>{title}</h2>
          {onClose ? (
            <button type="button" className="quiet" onClick={onClose} aria-label="Close">
              ✕
            </button>
          ) : null}
        </div>
        {children}
      </div>
    </dialog>
  )
}
