import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import type { Viewer } from '../../order/record/order.ts'
import { STEP } from './step.ts'

interface Props {
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}

/** Lets the verdict stand, after a question: it cannot be appealed afterwards. */
export function WaiveAppeal({ dispute, viewer, onClose }: Props) {
  const waive = useChange('waiveAppeal', STEP)
  const call = { params: { urn: urnString('dispute', dispute.urn.body) }, agent: viewer.agent }
  return (
    <FormDialog
      title={t('Let the verdict stand?')}
      submit={t('I will not appeal')}
      onClose={onClose}
      onSubmit={() => waive.mutateAsync(call)}
    >
      <p>{t('You cannot appeal afterwards. Once the other side says the same, the verdict is executed at once.')}</p>
    </FormDialog>
  )
}
