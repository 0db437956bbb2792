import { type ReactNode, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { FormDialog } from './FormDialog.tsx'
import { Secret } from './Secret.tsx'

interface Props {
  title: string
  submit: string
  /** What the secret is for. */
  about: string
  onClose: () => void
  /** Makes the secret, and returns it. */
  onSubmit: (form: FormData) => Promise<{ secret: string }>
  children: ReactNode
}

/** A form that makes a secret, which is then shown once. */
export function SecretForm({ title, submit, about, onClose, onSubmit, children }: Props) {
  const [secret, setSecret] = useState<string>()
  if (secret === undefined) {
    return (
      <FormDialog
        title={title}
        submit={submit}
        onClose={onClose}
        onSubmit={onSubmit}
        onDone={(made) => setSecret(made.secret)}
      >
        {children}
      </FormDialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Secret value={secret} about={about} />
      <div>
        <Button onClick={onClose}>{t('I have saved it')}</Button>
      </div>
    </Dialog>
  )
}
