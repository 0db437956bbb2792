import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { STEP, type StepProps } from '../record/step.ts'

/** Rates the seller once, from 1 to 5. */
export function Rate({ order, viewer, onClose }: StepProps) {
  const rate = useChange('rateOrder', [...STEP, 'listRatings'])
  const submit = (form: FormData) => {
    const comment = typed(form, 'comment')
    const rating = Number(typed(form, 'rating'))
    const body = { order_urn: urnString('order', order.urn.body), rating, ...(comment ? { comment } : {}) }
    return rate.mutateAsync({ body, agent: viewer.agent })
  }
  return (
    <FormDialog title={t('Rate the seller')} submit={t('Rate')} onClose={onClose} onSubmit={submit}>
      <Field label={t('From 1 to 5')} name="rating">
        {(props) => <input {...props} type="number" min={1} max={5} required />}
      </Field>
      <Field label={t('Comment')} name="comment" hint={t('Everybody can read it.')}>
        {(props) => <textarea {...props} maxLength={1_000} />}
      </Field>
    </FormDialog>
  )
}
