import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { SecretForm } from '../../../../ui/forms/SecretForm.tsx'
import { Scopes, scopesOf } from '../Scopes.tsx'
import { limitOf, SpendLimitFields } from '../SpendLimitFields.tsx'

/** Mints a token, and shows its secret this once. */
export function MintToken({ ownerUrn, onClose }: { ownerUrn: string; onClose: () => void }) {
  const mint = useChange('mintToken', ['listTokens'])
  const submit = (form: FormData) => {
    const end = typed(form, 'expires_at')
    const body = {
      owner_urn: ownerUrn,
      scopes: scopesOf(form),
      spend_limit: limitOf(form, 'spend_limit'),
      ...(end ? { expires_at: new Date(end).toISOString() } : {}),
    }
    return mint.mutateAsync({ body })
  }
  return (
    <SecretForm
      title={t('Mint a token')}
      submit={t('Mint the token')}
      about={t('Your program sends it as a bearer token.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Scopes legend={t('It may')} />
      <SpendLimitFields within="spend_limit" />
      <Field label={t('Ends')} name="expires_at" hint={t('Empty: valid until it is revoked.')}>
        {(props) => <input {...props} type="datetime-local" />}
      </Field>
    </SecretForm>
  )
}
