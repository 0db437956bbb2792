import { useChange } from '../../data/queries.ts'
import { Field } from '../../ui/Field.tsx'
import { typed } from '../../ui/Form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

/** Says how something came about that the chain shows and nothing explains. */
export function ExplainStop({ urn, onClose }: { urn: string; onClose: () => void }) {
  const explain = useChange('explainPayoutStop', ['listPayoutStops'])
  return (
    <FormDialog
      title="Explain the stop"
      submit="Book it as a loss"
      isDanger
      onClose={onClose}
      onSubmit={(form) => explain.mutateAsync({ params: { urn }, body: { explanation: typed(form, 'explanation') } })}
    >
      <p>The loss is booked within a minute, and stays in the books for good. This cannot be taken back.</p>
      <Field label="How it came about" name="explanation">
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
