import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { STEP, type StepProps } from './step.ts'

/** Rejects the delivery, with a reason that the seller and whoever decides a dispute read. */
export function Reject({ order, viewer, onClose }: StepProps) {
  const reject = useChange('rejectOrder', STEP)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')) || null
    const params = { urn: urnString('order', order.urn.body) }
    reject.mutate({ params, body: { reason }, agent: viewer.agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Reject the delivery" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>The seller can deliver again. If neither of you gives way, a dispute decides.</p>
        <Field label="What is wrong with it" name="reason" error={reject.error}>
          {(props) => <textarea {...props} maxLength={2_000} required />}
        </Field>
        <Problem error={reject.error} />
        <div className="row">
          <Button type="submit" kind="danger" busy={reject.isPending}>
            Reject
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
