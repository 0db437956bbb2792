import type { ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

interface Props<Answer> {
  title: string
  /** The label of the button. */
  submit: string
  isDanger?: boolean
  /** True while something is missing that it needs. */
  disabled?: boolean
  onClose: () => void
  onSubmit: (form: FormData) => Promise<Answer>
  /** Called with the answer. Without it, the dialog closes. */
  onDone?: (answer: Answer) => void
  /** The fields, or what will happen and whether it can be undone. */
  children: ReactNode
}

/** A form in a dialog, or a question before something that is not easily undone. */
export function FormDialog<Answer>(props: Props<Answer>) {
  const { title, submit, isDanger = false, disabled = false, onClose, onSubmit, onDone = onClose, children } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        kind={isDanger ? 'danger' : 'primary'}
        disabled={disabled}
        beside={<Button onClick={onClose}>{t('Cancel')}</Button>}
        onSubmit={onSubmit}
        onDone={onDone}
      >
        {children}
      </Form>
    </Dialog>
  )
}
