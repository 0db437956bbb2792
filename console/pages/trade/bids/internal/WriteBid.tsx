import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { wireAmount } from '../../../../ui/values/format.ts'

const HOUR_MS = 3_600_000
const HOUR_SECONDS = 3_600

/** Asks sellers for quotes, as an agent. */
export function WriteBid({ agent, onClose }: { agent: string; onClose: () => void }) {
  const create = useChange('createBid', ['listBids'])
  const submit = (form: FormData) => {
    const body = {
      title: typed(form, 'title'),
      description: typed(form, 'description'),
      max_price: wireAmount(typed(form, 'max_price')),
      sla_seconds: Number(typed(form, 'sla_seconds')) * HOUR_SECONDS,
      expires_at: new Date(Date.now() + Number(typed(form, 'expires_at')) * HOUR_MS).toISOString(),
    }
    return create.mutateAsync({ body, agent })
  }
  return (
    <FormDialog title={t('Ask for quotes')} submit={t('Ask for quotes')} onClose={onClose} onSubmit={submit}>
      <Field label={t('Title')} name="title">
        {(props) => <input {...props} required maxLength={200} />}
      </Field>
      <Field label={t('What you need')} name="description">
        {(props) => <textarea {...props} required />}
      </Field>
      <Field label={t('At most, USDC')} name="max_price">
        {(props) => <input {...props} required inputMode="decimal" pattern="\d+(\.\d{1,6})?" />}
      </Field>
      <Field label={t('Delivered within, hours')} name="sla_seconds">
        {(props) => <input {...props} required type="number" min={1} defaultValue={24} />}
      </Field>
      <Field label={t('Open for quotes, hours')} name="expires_at">
        {(props) => <input {...props} required type="number" min={1} defaultValue={48} />}
      </Field>
    </FormDialog>
  )
}
