import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../../sdk/market.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { wireAmount } from '../../../../ui/values/format.ts'
import { type StepProps, threadOf } from '../record/step.ts'
import { PROPOSALS, type ProposalKind, proposable, refundOf } from './internal/proposals.ts'
import { useOutcome } from './useOutcome.tsx'

type Message = Pick<CallInput<'postMessage'>['body'], 'payload' | 'body'>

/** Proposes something to the other party. It applies once they accept that very proposal. */
export function Propose({ order, viewer, onClose }: StepProps) {
  const post = useChange('postMessage', ['getOrderTimeline', 'listMessages'])
  const outcome = useOutcome(viewer)
  const kinds = proposable(order)
  const [kind, setKind] = useState<ProposalKind | undefined>(kinds[0])
  const submit = async (form: FormData) => {
    if (!kind) return
    const message = messageOf(kind, form)
    const body = { thread_urn: threadOf(order), kind, ...message }
    const propose = () => post.mutateAsync({ body, agent: viewer.agent })
    const refund = refundOf({ kind, payload: message.payload })
    if (refund === undefined) await propose()
    else await outcome.decide(urnString('order', order.urn.body), refund, propose)
  }
  return (
    <FormDialog title={t('Propose')} submit={t('Propose it')} onClose={onClose} onSubmit={submit}>
      <p>{t('Nothing changes until the other side accepts it. A later proposal of the same kind replaces it.')}</p>
      <Field label={t('What')} name="kind">
        {(props) => (
          <select {...props} value={kind} onChange={({ target }) => setKind(target.value as ProposalKind)}>
            {kinds.map((name) => (
              <option key={name} value={name}>
                {t(PROPOSALS[name].title)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind === 'remedy_proposal' ? (
        <Field
          label={t('Back to the buyer, USDC')}
          name="payload.refund"
          hint={t('The seller gets the rest, less the fee.')}
        >
          {(props) => <input {...props} required inputMode="decimal" />}
        </Field>
      ) : null}
      {kind === 'scope_change_proposal' ? (
        <>
          <Field label={t('What changes')} name="body">
            {(props) => <textarea {...props} required maxLength={20_000} />}
          </Field>
          <Field
            label={t('Days to deliver, from when it was paid')}
            name="payload.changes.sla_seconds"
            hint={t('Empty: as before.')}
          >
            {(props) => <input {...props} type="number" min={1} max={60} />}
          </Field>
        </>
      ) : null}
      {kind === 'cancellation_proposal' ? (
        <p>{t('The order ends, and all of the money goes back to the buyer.')}</p>
      ) : null}
      {outcome.asking}
    </FormDialog>
  )
}

const DAY_SECONDS = 86_400

function messageOf(kind: ProposalKind, form: FormData): Message {
  if (kind === 'cancellation_proposal') return { payload: { reason_code: 'other' } }
  if (kind === 'remedy_proposal') return { payload: { refund: wireAmount(typed(form, 'payload.refund')) } }
  const days = typed(form, 'payload.changes.sla_seconds')
  const changes = days === '' ? {} : { payload: { changes: { sla_seconds: Number(days) * DAY_SECONDS } } }
  return { body: typed(form, 'body'), ...changes }
}
