import { useChange } from '../../data/queries.ts'
import { Field } from '../../ui/Field.tsx'
import { typed } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

/** Pauses outgoing payments at once, for a reason that is recorded. */
export function StopPayouts({ onClose }: { onClose: () => void }) {
  const stop = useChange('stopPayouts', ['listPayoutStops', 'getReconciliation'])
  const submit = (form: FormData) => {
    const place = form.get('place') === 'escrow' ? 'escrow' : 'hot_wallet'
    return stop.mutateAsync({ body: { reason: typed(form, 'reason'), place } })
  }
  return (
    <FormDialog title="Pause outgoing payments" submit="Pause them now" isDanger onClose={onClose} onSubmit={submit}>
      <p>Only payments that are already signed still leave. A stop is lifted on the command line.</p>
      <Field label="What" name="place">
        {(props) => (
          <select {...props}>
            <option value="hot_wallet">Payouts out of custody</option>
            <option value="escrow">Calls of the contract</option>
          </select>
        )}
      </Field>
      <Field label="Why" name="reason" hint="Kept in the audit log.">
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
