import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import type { Viewer } from '../order/Order.tsx'
import type { DisputeBody } from './Dispute.tsx'
import { STEP } from './step.ts'

/** Says once what the human who hears the appeal should know. */
export function StateAppeal({
  dispute,
  viewer,
  onClose,
}: {
  dispute: DisputeBody
  viewer: Viewer
  onClose: () => void
}) {
  const say = useChange('stateAppeal', STEP)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const statement = String(new FormData(event.currentTarget).get('statement'))
    const params = { urn: urnString('dispute', dispute.urn.body) }
    say.mutate({ params, body: { statement }, agent: viewer.agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="What you say of the appeal" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Statement" name="statement" error={say.error} hint="Once. The other side reads it too.">
          {(props) => <textarea {...props} required maxLength={4_000} />}
        </Field>
        <Problem error={say.error} />
        <div>
          <Button type="submit" kind="primary" busy={say.isPending}>
            Say it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
