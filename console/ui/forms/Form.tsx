import { createContext, type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../../sdk/problem.ts'
import { Button } from './Button.tsx'
import { Problem } from './Problem.tsx'

/** The error of the form around a field. */
export const FormError = createContext<unknown>(undefined)

/** Longer than the time between the clicks of a double click. */
const SETTLE_MS = 1_000

interface Props<Answer> {
  /** The label of the button. A form without one has a button of its own in `children`. */
  submit?: string
  kind?: 'primary' | 'danger'
  /** True while the form cannot be sent. */
  disabled?: boolean
  /** Shown beside the button. */
  beside?: ReactNode
  /**
   * Whether the fields are emptied after the form was sent. If somebody wrote on meanwhile, the form stays as
   * it is.
   */
  resets?: boolean
  className?: string | undefined
  'aria-label'?: string
  /** Sends what was typed. What it throws is shown at the field that it names, or below the fields. */
  onSubmit: (form: FormData) => Promise<Answer> | Answer
  /** Called with the answer, unless the form was closed before. */
  onDone?: ((answer: Answer) => void) | undefined
  children: ReactNode
}

/** A form. Its button, Ctrl-Enter or Ctrl-S sends it, once at a time; it shows why it was refused. */
export function Form<Answer>(props: Props<Answer>) {
  const { submit, kind, disabled = false, beside, resets, className = 'stack', onSubmit, onDone, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [isSending, setSending] = useState(false)
  const busy = useJustChanged(submit) || isSending
  const [failure, setFailure] = useState<{ error: unknown; isAtField: boolean }>()
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    setSending(true)
    setFailure(undefined)
    try {
      const sent = new FormData(event.currentTarget, event.nativeEvent.submitter)
      const answer = await onSubmit(sent)
      if (!form.current || (resets && !hasSame(form.current, sent))) return
      if (resets) form.current.reset()
      onDone?.(answer)
    } catch (error) {
      setFailure({ error, isAtField: isAtFieldOf(form.current, error) })
    } finally {
      setSending(false)
    }
  }
  useEffect(() => {
    if (failure?.isAtField) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failure])
  return (
    <form ref={form} className={className} aria-label={props['aria-label']} onSubmit={send} onKeyDown={pressed}>
      <FormError value={failure?.error}>{children}</FormError>
      {failure?.isAtField ? null : <Problem error={failure?.error} />}
      {submit === undefined ? null : (
        <div className="row">
          <Button type="submit" kind={kind} disabled={disabled} busy={busy}>
            {submit}
          </Button>
          {beside}
        </div>
      )}
    </form>
  )
}

/**
 * Whether a value has just changed. A button that gets another meaning is not pressed by the second click of
 * a double click, or by somebody who presses twice because nothing seems to happen.
 */
function useJustChanged(value: unknown): boolean {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled !== value
}

/** Returns what was typed in a field of a form. */
export function typed(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Whether the fields of a form still have what was sent. */
function hasSame(form: HTMLFormElement, sent: FormData): boolean {
  return [...new FormData(form)].every(
    ([name, value]) => typeof value !== 'string' || sent.getAll(name).includes(value),
  )
}

/** Whether an error names a field of the form: the field then shows it. */
function isAtFieldOf(form: HTMLFormElement | null, error: unknown): boolean {
  const name = error instanceof ApiProblem ? error.field : undefined
  return name !== undefined && Boolean(form?.querySelector(`[aria-invalid][name="${CSS.escape(name)}"]`))
}

function pressed(event: KeyboardEvent<HTMLFormElement>): void {
  if (!(event.ctrlKey || event.metaKey) || (event.key !== 'Enter' && event.key !== 's')) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('[type=submit]')?.click()
}
