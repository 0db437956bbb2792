import { useChange } from '../../data/queries.ts'
import { Field } from '../../ui/Field.tsx'
import { typed } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

/** Stops what leaves: at once, for a reason that is kept. */
export function StopPayouts({ onClose }: { onClose: () => void }) {
  const stop = useChange('stopPayouts', ['listPayoutStops', 'getReconciliation'])
  const submit = (form: FormData) => {
    const place = form.get('place') === 'escrow' ? 'escrow' : 'hot_wallet'
    return stop.mutateAsync({ body: { reason: typed(form, 'reason'), place } })
  }
  return (
    <FormDialog title="Stop what leaves" submit="Stop it now" isDanger onClose={onClose} onSubmit={submit}>
      <p>Nothing leaves from then on but what was signed before. Lifting it needs a fresh passkey.</p>
      <Field label="What" name="place">
        {(props) => (
          <select {...props}>
            <option value="hot_wallet">Payouts out of custody</option>
            <option value="escrow">What the contract is asked to do</option>
          </select>
        )}
      </Field>
      <Field label="Why" name="reason" hint="Kept in the audit log.">
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
