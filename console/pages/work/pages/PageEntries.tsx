import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form, typed } from '../../../ui/Form.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import styles from '../comments/Comments.module.css'
import { useHashTarget } from '../comments/useHashTarget.ts'

/** The entries of a page: dated notes, which can be added but not changed. */
export function PageEntries({ org, page }: { org: string; page: string }) {
  const { items, error, more } = useList('listEntries', { params: { org, ref: page } })
  const { nameOf } = usePeople(org)
  const create = useChange('createEntry', ['listEntries'])
  useHashTarget('entry-', items !== undefined)
  return (
    <Section title="Entries">
      <Problem error={error} />
      <ul className="plain">
        {items?.map(({ id, short_id, text, created_by, created_at }) => (
          <li key={id} id={`entry-${short_id}`} className={styles.comment}>
            <p className="small muted">
              {nameOf(created_by)} · <Time at={created_at} />
            </p>
            <Markdown text={text} />
          </li>
        ))}
      </ul>
      {more ? <Button onClick={more}>Show more</Button> : null}
      <details>
        <summary>Add an entry</summary>
        <Form
          className={styles.form}
          submit="Add"
          resets
          onSubmit={(form) => create.mutateAsync({ params: { org, ref: page }, body: { text: typed(form, 'text') } })}
        >
          <Field label="Entry" name="text" hint="A dated note below the page, in Markdown: for logs and minutes.">
            {(props) => <textarea {...props} required />}
          </Field>
        </Form>
      </details>
    </Section>
  )
}
