import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../../sdk/market.ts'
import { useChange } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { STEP, type StepProps } from '../record/step.ts'
import { useOutcome } from './useOutcome.tsx'

type Reason = CallInput<'cancelOrder'>['body']['reason_code']

const REASONS: Record<'buyer' | 'seller', readonly [Reason, Message][]> = {
  buyer: [
    ['changed_mind', msg('I changed my mind')],
    ['ordered_by_mistake', msg('It was ordered by mistake')],
    ['sla_breached', msg('It is late')],
    ['other', msg('Another reason')],
  ],
  seller: [
    ['cannot_deliver', msg('I cannot deliver')],
    ['conceded', msg('I concede: the buyer gets the money back')],
    ['other', msg('Another reason')],
  ],
}

/** Ends the order; what was paid goes back to the buyer. */
export function Cancel({ order, viewer, onClose }: StepProps) {
  const cancel = useChange('cancelOrder', STEP)
  const outcome = useOutcome(viewer)
  const submit = (form: FormData) => {
    const params = { urn: urnString('order', order.urn.body) }
    const body = { reason_code: typed(form, 'reason_code') as Reason }
    return outcome.decide(params.urn, 'all', () => cancel.mutateAsync({ params, body, agent: viewer.agent }))
  }
  return (
    <FormDialog
      title={t('Cancel the order')}
      submit={t('Cancel the order')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t('Any payment goes back to the buyer. This cannot be undone.')}</p>
      <Field label={t('Reason')} name="reason_code">
        {(props) => (
          <select {...props}>
            {REASONS[viewer.side].map(([value, title]) => (
              <option key={value} value={value}>
                {t(title)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {outcome.asking}
    </FormDialog>
  )
}
