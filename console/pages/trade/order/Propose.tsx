import { type FormEvent, useState } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { wireAmount } from '../../../ui/format.ts'
import { Problem } from '../../../ui/Problem.tsx'
import { PROPOSALS, type ProposalKind, proposable, refundOf } from './proposals.ts'
import { type StepProps, threadOf } from './step.ts'
import { useOutcome } from './useOutcome.tsx'

type Message = Pick<CallInput<'postMessage'>['body'], 'payload' | 'body'>

/** Proposes something to the other party, which applies once they accept that very proposal. */
export function Propose({ order, viewer, onClose }: StepProps) {
  const post = useChange('postMessage', ['getOrderTimeline', 'listMessages'])
  const outcome = useOutcome(viewer)
  const kinds = proposable(order)
  const [kind, setKind] = useState<ProposalKind | undefined>(kinds[0])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!kind) return
    const message = messageOf(kind, new FormData(event.currentTarget))
    const propose = async () => {
      await post.mutateAsync({ body: { thread_urn: threadOf(order), kind, ...message }, agent: viewer.agent })
      onClose()
    }
    const refund = refundOf({ kind, payload: message.payload })
    if (refund === undefined) return void propose().catch(() => {})
    return void outcome.decide(urnString('order', order.urn.body), refund, propose)
  }
  return (
    <Dialog title="Propose" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Nothing changes until the other side accepts it. A later proposal of the same kind takes its place.</p>
        <Field label="What" name="kind" error={post.error}>
          {(props) => (
            <select {...props} value={kind} onChange={({ target }) => setKind(target.value as ProposalKind)}>
              {kinds.map((name) => (
                <option key={name} value={name}>
                  {PROPOSALS[name].title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {kind === 'remedy_proposal' ? (
          <Field
            label="Back to the buyer, USDC"
            name="refund"
            error={post.error}
            hint="The seller gets the rest, less the fee."
          >
            {(props) => <input {...props} required inputMode="decimal" />}
          </Field>
        ) : null}
        {kind === 'scope_change_proposal' ? (
          <>
            <Field label="What changes" name="body" error={post.error}>
              {(props) => <textarea {...props} required maxLength={20_000} />}
            </Field>
            <Field
              label="Days to deliver, from when it was paid"
              name="days"
              error={post.error}
              hint="Empty: as before."
            >
              {(props) => <input {...props} type="number" min={1} max={60} />}
            </Field>
          </>
        ) : null}
        {kind === 'cancellation_proposal' ? <p>The order ends, and all of the money goes back to the buyer.</p> : null}
        {outcome.asking}
        <Problem error={post.error} />
        <div>
          <Button type="submit" kind="primary" busy={outcome.isSigning || post.isPending}>
            Propose it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const DAY_SECONDS = 86_400

function messageOf(kind: ProposalKind, form: FormData): Message {
  if (kind === 'cancellation_proposal') return { payload: { reason_code: 'other' } }
  if (kind === 'remedy_proposal') return { payload: { refund: wireAmount(String(form.get('refund'))) } }
  const days = String(form.get('days'))
  const changes = days === '' ? {} : { payload: { changes: { sla_seconds: Number(days) * DAY_SECONDS } } }
  return { body: String(form.get('body')), ...changes }
}
