import type { PageItem } from '../../../../../sdk/market.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { SecretForm } from '../../../../ui/forms/SecretForm.tsx'

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
  const submit = async () => {
    const { value } = await reveal.mutateAsync({ params: { org, ref: secret.id }, body: {} })
    return { secret: value }
  }
  return (
    <SecretForm
      title={t('Reveal {name}', { name: secret.name })}
      submit={t('Reveal')}
      about={t('The audit log records that you have seen it.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t('The audit log records that you see it, and its author is told.')}</p>
    </SecretForm>
  )
}

function Replace({ org, secret, onClose }: Props) {
  const replace = useChange('replaceSecretValue', ['listSecrets'])
  return (
    <FormDialog
      title={t('Replace the value of {name}', { name: secret.name })}
      submit={t('Replace')}
      onClose={onClose}
      onSubmit={(form) =>
        replace.mutateAsync({ params: { org, ref: secret.id }, body: { value: typed(form, 'value') } })
      }
    >
      <Field label={t('Value')} name="value" hint={t('The former value is not kept.')}>
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
    </FormDialog>
  )
}

function Delete({ org, secret, onClose }: Props) {
  const remove = useChange('deleteSecret', ['listSecrets'])
  return (
    <FormDialog
      title={t('Delete {name}', { name: secret.name })}
      submit={t('Delete for good')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: secret.id } })}
    >
      <p>{t('Its value is deleted and cannot be recovered.')}</p>
    </FormDialog>
  )
}
