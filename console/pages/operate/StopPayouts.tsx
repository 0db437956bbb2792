import type { FormEvent } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

/** Stops what leaves: at once, for a reason that is kept. */
export function StopPayouts({ onClose }: { onClose: () => void }) {
  const stop = useChange('stopPayouts', ['listPayoutStops', 'getReconciliation'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const place = form.get('place') === 'escrow' ? 'escrow' : 'hot_wallet'
    stop.mutate({ body: { reason: String(form.get('reason')), place } }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Stop what leaves" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Nothing leaves from then on but what was signed before. Lifting it needs a fresh passkey.</p>
        <Field label="What" name="place" error={stop.error}>
          {(props) => (
            <select {...props}>
              <option value="hot_wallet">Payouts out of custody</option>
              <option value="escrow">What the contract is asked to do</option>
            </select>
          )}
        </Field>
        <Field label="Why" name="reason" error={stop.error} hint="Kept in the audit log.">
          {(props) => <textarea {...props} required maxLength={500} />}
        </Field>
        <Problem error={stop.error} />
        <div>
          <Button type="submit" kind="danger" busy={stop.isPending}>
            Stop it now
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
