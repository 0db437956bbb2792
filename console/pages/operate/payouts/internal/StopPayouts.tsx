import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'

/** Pauses outgoing payments at once, for a reason that is recorded. */
export function StopPayouts({ onClose }: { onClose: () => void }) {
  const stop = useChange('stopPayouts', ['listPayoutStops', 'getReconciliation'])
  const submit = (form: FormData) => {
    const place = form.get('place') === 'escrow' ? 'escrow' : 'hot_wallet'
    return stop.mutateAsync({ body: { reason: typed(form, 'reason'), place } })
  }
  return (
    <FormDialog
      title={t('Pause outgoing payments')}
      submit={t('Pause them now')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t('Only payments that are already signed still leave. A stop is lifted on the command line.')}</p>
      <Field label={t('What')} name="place">
        {(props) => (
          <select {...props}>
            <option value="hot_wallet">{t('Payouts out of custody')}</option>
            <option value="escrow">{t('Calls of the contract')}</option>
          </select>
        )}
      </Field>
      <Field label={t('Why')} name="reason" hint={t('Kept in the audit log.')}>
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
