import { type FormEvent, useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Secret } from '../../ui/Secret.tsx'
import { Scopes, scopesOf } from './Scopes.tsx'
import { limitOf, SpendLimitFields } from './SpendLimitFields.tsx'

/** Mints a token, and shows its secret this once. */
export function MintToken({ ownerUrn, onClose }: { ownerUrn: string; onClose: () => void }) {
  const mint = useChange('mintToken', ['listTokens'])
  const [secret, setSecret] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const end = String(form.get('expires_at'))
    const body = {
      owner_urn: ownerUrn,
      scopes: scopesOf(form),
      spend_limit: limitOf(form, 'spend_limit'),
      ...(end ? { expires_at: new Date(end).toISOString() } : {}),
    }
    mint.mutate({ body }, { onSuccess: (minted) => setSecret(minted.secret) })
  }
  return (
    <Dialog title="Mint a token" onClose={onClose}>
      {secret ? (
        <>
          <Secret value={secret} about="Your program sends it as a bearer token." />
          <div>
            <Button onClick={onClose}>I have kept it</Button>
          </div>
        </>
      ) : (
        <form className="stack" onSubmit={submit}>
          <Scopes legend="It may" />
          <SpendLimitFields within="spend_limit" error={mint.error} />
          <Field label="Ends" name="expires_at" error={mint.error} hint="Empty: when it is revoked.">
            {(props) => <input {...props} type="datetime-local" />}
          </Field>
          <Problem error={mint.error} />
          <div>
            <Button type="submit" kind="primary" busy={mint.isPending}>
              Mint the token
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
