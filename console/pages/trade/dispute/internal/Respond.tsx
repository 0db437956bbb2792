import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { wireAmount } from '../../../../ui/values/format.ts'
import type { Viewer } from '../../order/record/order.ts'
import { STEP } from './step.ts'

/** Answers the claim, in one's own words. */
export function Respond({
  dispute,
  viewer,
  onClose,
}: {
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}) {
  const respond = useChange('respondToDispute', STEP)
  const submit = (form: FormData) => {
    const offered = typed(form, 'response.offered_refund')
    const response = {
      grounds: form.has('isDelayContested') ? ['late' as const] : ['other' as const],
      what_happened: typed(form, 'response.what_happened'),
      ...(offered ? { offered_refund: wireAmount(offered) } : {}),
    }
    const params = { urn: urnString('dispute', dispute.urn.body) }
    return respond.mutateAsync({ params, body: { response }, agent: viewer.agent })
  }
  return (
    <FormDialog title={t('Respond to the claim')} submit={t('Respond')} onClose={onClose} onSubmit={submit}>
      <Field label={t('What happened')} name="response.what_happened">
        {(props) => <textarea {...props} required maxLength={4_000} />}
      </Field>
      <Field
        label={t('You offer back to the buyer, USDC')}
        name="response.offered_refund"
        hint={t('Empty: nothing is offered.')}
      >
        {(props) => <input {...props} inputMode="decimal" />}
      </Field>
      {viewer.side === 'seller' && dispute.claim.grounds.includes('late') ? (
        <label className="choice">
          <input type="checkbox" name="isDelayContested" />
          <span>
            {t(
              'The buyer caused or accepted the delay. A human decides if your evidence has a message of the buyer from before the delivery.',
            )}
          </span>
        </label>
      ) : null}
    </FormDialog>
  )
}
