import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { STEP, type StepProps } from '../record/step.ts'

/** Rejects the delivery, with a reason for the seller and for the judge of a dispute. */
export function Reject({ order, viewer, onClose }: StepProps) {
  const reject = useChange('rejectOrder', STEP)
  const params = { urn: urnString('order', order.urn.body) }
  return (
    <FormDialog
      title={t('Reject the delivery')}
      submit={t('Reject')}
      isDanger
      onClose={onClose}
      onSubmit={(form) =>
        reject.mutateAsync({ params, body: { reason: typed(form, 'reason') || null }, agent: viewer.agent })
      }
    >
      <p>{t('The seller can deliver again. If neither of you gives way, a dispute decides.')}</p>
      <Field label={t('What is wrong with it')} name="reason">
        {(props) => <textarea {...props} maxLength={2_000} required />}
      </Field>
    </FormDialog>
  )
}
