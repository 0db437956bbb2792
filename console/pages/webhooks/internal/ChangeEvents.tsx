import { t } from '../../../texts/texts.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { EventTypePicker } from './EventTypePicker.tsx'

interface Props {
  chosen: readonly string[]
  isOfOrg: boolean
  change: (patterns: string[]) => Promise<unknown>
  onClose: () => void
}

/** Changes which types of events a webhook gets. */
export function ChangeEvents({ chosen, isOfOrg, change, onClose }: Props) {
  return (
    <FormDialog
      title={t('Change the events')}
      submit={t('Save')}
      onClose={onClose}
      onSubmit={(form) => change(form.getAll('pattern').map(String))}
    >
      <EventTypePicker name="pattern" isOfOrg={isOfOrg} chosen={chosen} />
      <p className="small muted">{t('Events that happen from now on are sent by this choice.')}</p>
    </FormDialog>
  )
}
