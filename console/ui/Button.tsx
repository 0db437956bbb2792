import type { ButtonHTMLAttributes } from 'react'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  kind?: 'primary' | 'danger' | 'quiet' | undefined
  /** True while its action is running. */
  busy?: boolean
}

/** A button. While it is busy it cannot be pressed again. */
export function Button({ kind, busy = false, disabled, children, ...rest }: Props) {
  return (
    <button type="button" {...rest} className={kind} disabled={busy || disabled} aria-busy={busy}>
      {children}
    </button>
  )
}
