import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { STEP, type StepProps } from './step.ts'

/** Rates the seller once, from 1 to 5. */
export function Rate({ order, viewer, onClose }: StepProps) {
  const rate = useChange('rateOrder', [...STEP, 'listRatings'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const comment = String(form.get('comment'))
    const rating = Number(form.get('rating'))
    const body = { order_urn: urnString('order', order.urn.body), rating, ...(comment ? { comment } : {}) }
    rate.mutate({ body, agent: viewer.agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Rate the seller" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="From 1 to 5" name="rating" error={rate.error}>
          {(props) => <input {...props} type="number" min={1} max={5} defaultValue={5} required />}
        </Field>
        <Field label="Comment" name="comment" error={rate.error} hint="Everybody can read it.">
          {(props) => <textarea {...props} maxLength={1_000} />}
        </Field>
        <Problem error={rate.error} />
        <div className="row">
          <Button type="submit" kind="primary" busy={rate.isPending}>
            Rate
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
