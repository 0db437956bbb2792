import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import type { Viewer } from '../../order/record/order.ts'
import { STEP } from './step.ts'

interface Props {
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}

/** Sends the one statement of a side to the human who decides the appeal. */
export function StateAppeal({ dispute, viewer, onClose }: Props) {
  const state = useChange('stateAppeal', STEP)
  const params = { urn: urnString('dispute', dispute.urn.body) }
  return (
    <FormDialog
      title={t('Your statement on the appeal')}
      submit={t('Send it')}
      onClose={onClose}
      onSubmit={(form) =>
        state.mutateAsync({ params, body: { statement: typed(form, 'statement') }, agent: viewer.agent })
      }
    >
      <Field label={t('Statement')} name="statement" hint={t('Once. The other side reads it too.')}>
        {(props) => <textarea {...props} required maxLength={4_000} />}
      </Field>
    </FormDialog>
  )
}
