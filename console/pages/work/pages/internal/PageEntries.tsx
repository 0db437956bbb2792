import { useChange, useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import styles from '../../comments/Comments.module.css'
import { useHashTarget } from '../../comments/useHashTarget.ts'
import { OneEntry } from './OneEntry.tsx'

/** The entries of a page: dated notes. */
export function PageEntries({ org, page }: { org: string; page: string }) {
  const { items, error, more } = useList('listEntries', { params: { org, ref: page } })
  const create = useChange('createEntry', ['listEntries'])
  useHashTarget('entry-', items !== undefined)
  return (
    <Section title={t('Entries')}>
      <Problem error={error} />
      <ul className="plain">
        {items?.map((entry) => (
          <OneEntry key={entry.id} {...{ org, entry }} />
        ))}
      </ul>
      {more ? <Button onClick={more}>{t('Show more')}</Button> : null}
      <details>
        <summary>{t('Add an entry')}</summary>
        <Form
          className={styles.form}
          submit={t('Add')}
          resets
          onSubmit={(form) => create.mutateAsync({ params: { org, ref: page }, body: { text: typed(form, 'text') } })}
        >
          <Field
            label={t('Entry')}
            name="text"
            hint={t('A dated note below the page, in Markdown: for logs and minutes.')}
          >
            {(props) => <textarea {...props} required />}
          </Field>
        </Form>
      </details>
    </Section>
  )
}
