import { useMutation } from '@tanstack/react-query'
import { market } from '../../data/market.ts'
import { addPasskey, withFreshPasskey } from '../../data/passkeys.ts'
import type { Body } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { t } from '../../texts/texts.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

interface Props {
  /** Undefined to make a new one. */
  passkey: Body<'listPasskeys'>['passkeys'][number] | undefined
  onClose: () => void
  onDone: () => void
}

/** Renames a passkey, or names a new one that the browser then makes. */
export function NamePasskey({ passkey, onClose, onDone }: Props) {
  const save = useMutation({
    mutationFn: (name: string) =>
      withFreshPasskey(async () => {
        if (!passkey) return addPasskey(name)
        await market.call('renamePasskey', { params: { urn: urnText(passkey.urn) }, body: { name } })
      }),
  })
  return (
    <FormDialog
      title={passkey ? t('Rename {name}', { name: passkey.name }) : t('Add a passkey')}
      submit={passkey ? t('Rename') : t('Make the passkey')}
      onClose={onClose}
      onSubmit={(form) => save.mutateAsync(typed(form, 'name'))}
      onDone={onDone}
    >
      <Field label={t('Name')} name="name" hint={t('The device or key that it is on.')}>
        {(props) => <input {...props} required maxLength={100} defaultValue={passkey?.name} />}
      </Field>
    </FormDialog>
  )
}
