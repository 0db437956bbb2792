import { Link } from 'wouter'
import { useAll } from '../../../../../data/all.ts'
import { type Body, useChange } from '../../../../../data/queries.ts'
import { pathTo } from '../../../../../routing/paths.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../../ui/layout/Section.tsx'
import { Table } from '../../../../../ui/layout/Table.tsx'
import { bytesText } from '../../../../../ui/values/format.ts'

interface Props {
  org: string
  task: Body<'getTask'>
  isMember: boolean
}

/** The files that belong to a task: attachments of the org's pages. A seller who does the task reads them. */
export function TaskFiles({ org, task, isMember }: Props) {
  const { data: files = [] } = useAll('listAttachments', { params: { org } }, { enabled: isMember })
  const add = useChange('addTaskFile', ['getTask'])
  const remove = useChange('removeTaskFile', ['getTask'])
  const params = { org, ref: task.id }
  const mayChange = task.may.includes('change_files')
  const others = files.filter(({ id }) => !task.files.some((file) => file.id === id))
  return (
    <Section title={t('Files')}>
      <Table
        caption={t('Files of the task')}
        rows={task.files}
        keyOf={({ id }) => id}
        empty={<p>{t('No files. Whoever does the task can read its files.')}</p>}
        columns={[
          {
            title: t('File'),
            cell: ({ short_id, filename }) => (
              <Link href={pathTo('attachment', { org, ref: short_id })}>{filename}</Link>
            ),
          },
          { title: t('Size'), isNumber: true, cell: ({ size_bytes }) => bytesText(size_bytes) },
          {
            title: t('Change'),
            cell: ({ id, filename }) =>
              mayChange ? (
                <Button
                  aria-label={t('Remove {name} from the task', { name: filename })}
                  onClick={() => remove.mutate({ params: { ...params, attachment: id } })}
                >
                  {t('Remove')}
                </Button>
              ) : null,
          },
        ]}
      />
      <Problem error={remove.error} />
      {mayChange && others.length > 0 ? (
        <Form
          className="row"
          submit={t('Add')}
          onSubmit={(form) => add.mutateAsync({ params: { ...params, attachment: typed(form, 'attachment') } })}
        >
          <Field label={t('Add a file of the org')} name="attachment">
            {(props) => (
              <select {...props}>
                {others.map(({ id, filename }) => (
                  <option key={id} value={id}>
                    {filename}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      ) : null}
    </Section>
  )
}
