import type { PageItem } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'
import { Secret } from '../../../ui/Secret.tsx'

/** What is done with a secret. */
export type SecretStep = 'reveal' | 'replace' | 'delete'

interface Props {
  org: string
  secret: PageItem<'listSecrets'>
  onClose: () => void
}

/** Reveals a secret, gives it another value, or deletes it: each asks first. */
export function SecretDialog({ step, ...props }: Props & { step: SecretStep }) {
  if (step === 'reveal') return <Reveal {...props} />
  return step === 'replace' ? <Replace {...props} /> : <Delete {...props} />
}

function Reveal({ org, secret, onClose }: Props) {
  const reveal = useChange('revealSecret')
  if (reveal.data) {
    return (
      <Dialog title={secret.name} onClose={onClose}>
        <Secret value={reveal.data.value} about="That you have seen it is recorded." />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={`Reveal ${secret.name}`}
      submit="Reveal"
      busy={reveal.isPending}
      error={reveal.error}
      onClose={onClose}
      onSubmit={() => reveal.mutate({ params: { org, ref: secret.id }, body: {} })}
    >
      <p>That you see it is recorded in the audit log, and its author is told.</p>
    </FormDialog>
  )
}

function Replace({ org, secret, onClose }: Props) {
  const replace = useChange('replaceSecretValue', ['listSecrets'])
  return (
    <FormDialog
      title={`Replace the value of ${secret.name}`}
      submit="Replace"
      busy={replace.isPending}
      error={replace.error}
      onClose={onClose}
      onSubmit={(form) =>
        replace.mutate(
          { params: { org, ref: secret.id }, body: { value: typed(form, 'value') } },
          { onSuccess: onClose },
        )
      }
    >
      <Field label="Value" name="value" error={replace.error} hint="The one before is not kept.">
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
    </FormDialog>
  )
}

function Delete({ org, secret, onClose }: Props) {
  const remove = useChange('deleteSecret', ['listSecrets'])
  return (
    <FormDialog
      title={`Delete ${secret.name}`}
      submit="Delete for good"
      isDanger
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { org, ref: secret.id } }, { onSuccess: onClose })}
    >
      <p>Its value is gone then, and cannot be brought back.</p>
    </FormDialog>
  )
}
