import { useRef, useState } from 'react'
import { usePeople } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import styles from './Comments.module.css'
import type { CommentedOn } from './Comments.tsx'

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
  const [text, setText] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const create = useChange('createComment', ['listComments'])
  const mention = (urn: string) => {
    const at = area.current?.selectionStart ?? text.length
    setText(`${text.slice(0, at)}@${urn} ${text.slice(at)}`)
    area.current?.focus()
  }
  return (
    <Form
      className={styles.form}
      submit={label}
      kind="primary"
      beside={
        <select
          className={styles.mention}
          aria-label="Mention somebody"
          value=""
          onChange={(event) => mention(event.target.value)}
        >
          <option value="">Mention …</option>
          {people.map(({ urn, name }) => (
            <option key={urn} value={urn}>
              {name}
            </option>
          ))}
        </select>
      }
      onSubmit={() =>
        create.mutateAsync({
          params: { org },
          body: { ...on, text, ...(thread ? { thread } : {}), ...(anchor ? { anchor } : {}) },
        })
      }
      onDone={() => {
        setText('')
        onDone?.()
      }}
    >
      <Field label={label} name="text">
        {(props) => (
          <textarea {...props} ref={area} required value={text} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
    </Form>
  )
}
