import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { market } from '../../data/market.ts'
import { addPasskey, withFreshPasskey } from '../../data/passkeys.ts'
import type { Body } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

interface Props {
  /** Undefined to make a new one. */
  passkey: Body<'listPasskeys'>['passkeys'][number] | undefined
  onClose: () => void
  onDone: () => void
}

/** Names a passkey: one there is, or a new one that the browser then makes. */
export function NamePasskey({ passkey, onClose, onDone }: Props) {
  const save = useMutation({
    mutationFn: (name: string) =>
      withFreshPasskey(async () => {
        if (!passkey) return addPasskey(name)
        await market.call('renamePasskey', { params: { urn: urnText(passkey.urn) }, body: { name } })
      }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <Dialog title={passkey ? `Rename ${passkey.name}` : 'Add a passkey'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" name="name" error={save.error} hint="The device or key that it is on.">
          {(props) => <input {...props} required maxLength={100} defaultValue={passkey?.name} />}
        </Field>
        <Problem error={save.error} />
        <div className="row">
          <Button type="submit" kind="primary" busy={save.isPending}>
            {passkey ? 'Rename' : 'Make the passkey'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
