import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAll } from '../../../../../data/all.ts'
import { useSpaces } from '../../../../../data/org.ts'
import { useChange } from '../../../../../data/queries.ts'
import { pathTo } from '../../../../../routing/paths.ts'
import { t } from '../../../../../texts/texts.ts'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { typed } from '../../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../../../spaces/SpaceSelect.tsx'
import { AssigneeField, DueField, LabelsField, labelsIn, PriorityField } from '../../internal/PlanDialog.tsx'
import type { Plan } from '../../internal/taskItem.ts'
import styles from '../../Tasks.module.css'

/** Files a task in a space, about a page of it or none. */
export function NewTask({ org, onClose }: { org: string; onClose: () => void }) {
  const [, navigate] = useLocation()
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const spaces = useSpaces(org)
  const [chosen, setChosen] = useState<string>()
  const space = chosen ?? spaces?.[0]?.id ?? ''
  const create = useChange('createTask', ['listTasks'])
  return (
    <FormDialog
      title={t('New task')}
      submit={t('File task')}
      disabled={!spaces}
      onClose={onClose}
      onSubmit={(form) => {
        const page = typed(form, 'page')
        return create.mutateAsync({
          params: { org },
          body: {
            space,
            title: typed(form, 'title'),
            text: typed(form, 'text'),
            ...planIn(form),
            ...(page ? { page } : {}),
          },
        })
      }}
      onDone={({ short_id }) => navigate(pathTo('task', { org, ref: short_id }))}
    >
      <Field label={t('Title')} name="title">
        {(props) => <input {...props} required />}
      </Field>
      <Field label={t('What is to be done')} name="text" hint={t('Markdown.')}>
        {(props) => <textarea {...props} />}
      </Field>
      <div className={styles.pairs}>
        <AssigneeField org={org} />
        <PriorityField />
        <DueField />
        <LabelsField />
      </div>
      <SpaceSelect spaces={spaces} value={space} onChange={setChosen} />
      <Field label={t('About the page')} name="page">
        {(props) => (
          <select {...props}>
            <option value="">{t('None')}</option>
            {pages
              .filter(({ space_id }) => space_id === space)
              .map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}

/** Returns what somebody has planned for a new task. */
function planIn(form: FormData): Pick<Plan, 'assignee' | 'due_on' | 'labels' | 'priority'> {
  return {
    assignee: typed(form, 'assignee') || null,
    due_on: typed(form, 'due_on') || null,
    labels: labelsIn(form),
    priority: typed(form, 'priority') as NonNullable<Plan['priority']>,
  }
}
