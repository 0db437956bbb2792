import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** Records the explanation of an outflow that the ledger does not have. */
export function ExplainStop({ urn, onClose }: { urn: string; onClose: () => void }) {
  const explain = useChange('explainPayoutStop', ['listPayoutStops'])
  return (
    <FormDialog
      title={t('Explain the stop')}
      submit={t('Book it as a loss')}
      isDanger
      onClose={onClose}
      onSubmit={(form) => explain.mutateAsync({ params: { urn }, body: { explanation: typed(form, 'explanation') } })}
    >
      <p>{t('The loss is booked within a minute and stays in the books. This cannot be undone.')}</p>
      <Field label={t('How it happened')} name="explanation">
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
