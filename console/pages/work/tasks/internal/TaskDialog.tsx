import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { OfferTask, type TaskDialogProps } from './OfferTask.tsx'

/** A step that asks for input. */
export type AskingStep = 'submit' | 'reject' | 'offer' | 'update'

/** Asks for the input of a step: a result, a reason, a price, or a new text. */
export function TaskDialog({ step, ...props }: TaskDialogProps & { step: AskingStep }) {
  if (step === 'submit') return <SubmitTask {...props} />
  if (step === 'reject') return <RejectTask {...props} />
  return step === 'offer' ? <OfferTask {...props} /> : <ChangeTask {...props} />
}

function SubmitTask({ org, task, onClose }: TaskDialogProps) {
  const submit = useChange('submitTask', ['getTask', 'listTasks'])
  return (
    <FormDialog
      title={t('Hand the task in')}
      submit={t('Hand in')}
      onClose={onClose}
      onSubmit={(form) =>
        submit.mutateAsync({ params: { org, ref: task.id }, body: { result: typed(form, 'result') || null } })
      }
    >
      <Field label={t('Result')} name="result" hint={t('Markdown. Somebody else approves it.')}>
        {(props) => <textarea {...props} defaultValue={task.result ?? ''} />}
      </Field>
    </FormDialog>
  )
}

function RejectTask({ org, task, onClose }: TaskDialogProps) {
  const reject = useChange('rejectTask', ['getTask', 'listTasks'])
  return (
    <FormDialog
      title={t('Reject the result')}
      submit={t('Reject')}
      isDanger
      onClose={onClose}
      onSubmit={(form) =>
        reject.mutateAsync({ params: { org, ref: task.id }, body: { reason: typed(form, 'reason') } })
      }
    >
      <Field label={t('Reason')} name="reason" hint={t('The claimant reads this, and can hand in again.')}>
        {(props) => <textarea {...props} required />}
      </Field>
    </FormDialog>
  )
}

function ChangeTask({ org, task, onClose }: TaskDialogProps) {
  const update = useChange('updateTask', ['getTask', 'listTasks'])
  return (
    <FormDialog
      title={t('Change the task')}
      submit={t('Save')}
      onClose={onClose}
      onSubmit={(form) =>
        update.mutateAsync({
          params: { org, ref: task.id },
          body: { title: typed(form, 'title'), text: typed(form, 'text') },
        })
      }
    >
      <Field label={t('Title')} name="title">
        {(props) => <input {...props} required defaultValue={task.title} />}
      </Field>
      <Field label={t('What is to be done')} name="text" hint={t('Markdown.')}>
        {(props) => <textarea {...props} defaultValue={task.text} />}
      </Field>
    </FormDialog>
  )
}
