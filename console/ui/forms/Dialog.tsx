import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { t } from '../../texts/texts.ts'
import styles from './Dialog.module.css'

interface Props {
  title: string
  /** Without it, the person cannot close the dialog. */
  onClose?: () => void
  children: ReactNode
}

/**
 * A modal dialog. Escape closes it; the browser keeps the focus inside, and gives it back to the element that
 * had it.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it leaves the document: after that the browser no longer gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    firstOf(element)?.focus()
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
          <h2 tabIndex={-1} className={styles.title}>
            {title}
          </h2>
          {onClose ? (
            <button type="button" className="quiet" onClick={onClose} aria-label={t('Close')}>
              ✕
            </button>
          ) : null}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/**
 * Returns the first field of a dialog, else the last button of its form, which changes nothing, else its
 * title.
 */
function firstOf(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const field = dialog?.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled, [type=hidden])')
  const buttons = dialog?.querySelectorAll<HTMLElement>('form button')
  return field ?? (buttons && [...buttons].at(-1)) ?? dialog?.querySelector('h2')
}
