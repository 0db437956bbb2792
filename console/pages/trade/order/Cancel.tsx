import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { STEP, type StepProps } from './step.ts'
import { useOutcome } from './useOutcome.tsx'

type Reason = CallInput<'cancelOrder'>['body']['reason_code']

const REASONS: Record<'buyer' | 'seller', readonly [Reason, string][]> = {
  buyer: [
    ['changed_mind', 'I changed my mind'],
    ['ordered_by_mistake', 'It was ordered by mistake'],
    ['sla_breached', 'It is late'],
    ['other', 'Another reason'],
  ],
  seller: [
    ['cannot_deliver', 'I cannot deliver'],
    ['conceded', 'I concede: the buyer gets the money back'],
    ['other', 'Another reason'],
  ],
}

/** Ends the order; what was paid goes back to the buyer. */
export function Cancel({ order, viewer, onClose }: StepProps) {
  const cancel = useChange('cancelOrder', STEP)
  const outcome = useOutcome(viewer)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason_code = String(new FormData(event.currentTarget).get('reason_code')) as Reason
    const params = { urn: urnString('order', order.urn.body) }
    void outcome.decide(params.urn, 'all', async () => {
      await cancel.mutateAsync({ params, body: { reason_code }, agent: viewer.agent })
      onClose()
    })
  }
  return (
    <Dialog title="Cancel the order" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Where money was paid, it goes back to the buyer. This cannot be undone.</p>
        <Field label="Reason" name="reason_code" error={cancel.error}>
          {(props) => (
            <select {...props}>
              {REASONS[viewer.side].map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {outcome.asking}
        <Problem error={cancel.error} />
        <div className="row">
          <Button type="submit" kind="danger" busy={outcome.isSigning || cancel.isPending}>
            Cancel the order
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
