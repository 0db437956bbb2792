import { useRef } from 'react'
import { usePeople } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import styles from '../Comments.module.css'

/** The page or task that comments are on. */
export type CommentedOn = { page: string } | { task: string }

interface Props {
  org: string
  on: CommentedOn
  /** The comment that it answers. */
  thread?: string
  label: string
  anchor?: { quote: string } | undefined
  onDone?: () => void
}

/** Writes a comment, or an answer to one. A mention is put where the cursor is. */
export function CommentForm({ org, on, thread, label, anchor, onDone }: Props) {
  const { people } = usePeople(org)
  const area = useRef<HTMLTextAreaElement>(null)
  const create = useChange('createComment', ['listComments'])
  const mention = (urn: string) => {
    const field = area.current
    field?.setRangeText(`@${urn} `, field.selectionStart, field.selectionStart, 'end')
    field?.focus()
  }
  return (
    <Form
      className={styles.form}
      submit={label}
      kind="primary"
      beside={
        <select
          className={styles.mention}
          aria-label={t('Mention somebody')}
          value=""
          onChange={(event) => mention(event.target.value)}
        >
          <option value="">{t('Mention …')}</option>
          {people.map(({ urn, name }) => (
            <option key={urn} value={urn}>
              {name}
            </option>
          ))}
        </select>
      }
      resets
      onSubmit={(form) =>
        create.mutateAsync({
          params: { org },
          body: { ...on, text: typed(form, 'text'), ...(thread ? { thread } : {}), ...(anchor ? { anchor } : {}) },
        })
      }
      onDone={onDone}
    >
      <Field label={label} name="text">
        {(props) => <textarea {...props} ref={area} required />}
      </Field>
    </Form>
  )
}
