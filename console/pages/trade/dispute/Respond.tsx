import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { wireAmount } from '../../../ui/format.ts'
import { Problem } from '../../../ui/Problem.tsx'
import type { Viewer } from '../order/Order.tsx'
import type { DisputeBody } from './Dispute.tsx'
import { STEP } from './step.ts'

/** Answers the claim, in one's own words. */
export function Respond({ dispute, viewer, onClose }: { dispute: DisputeBody; viewer: Viewer; onClose: () => void }) {
  const respond = useChange('respondToDispute', STEP)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const offered = String(form.get('offered_refund'))
    const response = {
      grounds: ['other' as const],
      what_happened: String(form.get('response')),
      ...(offered ? { offered_refund: wireAmount(offered) } : {}),
    }
    const params = { urn: urnString('dispute', dispute.urn.body) }
    respond.mutate({ params, body: { response }, agent: viewer.agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Respond to the claim" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="What happened" name="response" error={respond.error}>
          {(props) => <textarea {...props} required maxLength={4_000} />}
        </Field>
        <Field
          label="You offer back to the buyer, USDC"
          name="offered_refund"
          error={respond.error}
          hint="Empty: nothing is offered."
        >
          {(props) => <input {...props} inputMode="decimal" />}
        </Field>
        <Problem error={respond.error} />
        <div>
          <Button type="submit" kind="primary" busy={respond.isPending}>
            Respond
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
