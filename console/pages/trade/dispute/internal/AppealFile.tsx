import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import type { Viewer } from '../../order/record/order.ts'
import { handIn } from './handIn.ts'
import { STEP } from './step.ts'

interface Props {
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}

/** Submits a file to the human who decides the appeal. */
export function AppealFile({ dispute, viewer, onClose }: Props) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (form: FormData) => {
      const file = form.get('file')
      if (file instanceof File) await handIn(dispute, viewer.agent, file)
    },
    onSuccess: () => Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
  return (
    <FormDialog
      title={t('A file for the appeal')}
      submit={t('Submit it')}
      onClose={onClose}
      onSubmit={(form) => add.mutateAsync(form)}
    >
      <Field label={t('File')} name="file" hint={t('The other side reads it too. It cannot be withdrawn.')}>
        {(props) => <input {...props} type="file" required />}
      </Field>
    </FormDialog>
  )
}
