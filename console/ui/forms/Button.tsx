import type { ButtonHTMLAttributes } from 'react'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  kind?: 'primary' | 'danger' | 'quiet' | undefined
  /** True while its action is running. */
  busy?: boolean
}

/** A button. While it is busy it cannot be pressed again. */
export function Button({ kind, busy = false, onClick, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={kind}
      // Not disabled while it is busy: it would lose the focus.
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  )
}
