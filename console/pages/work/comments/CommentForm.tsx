import { useRef, useState } from 'react'
import { usePeople } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
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
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(
          { params: { org }, body: { ...on, text, ...(thread ? { thread } : {}), ...(anchor ? { anchor } : {}) } },
          {
            onSuccess: () => {
              setText('')
              onDone?.()
            },
          },
        )
      }}
    >
      <Field label={label} name="text" error={create.error}>
        {(props) => (
          <textarea {...props} ref={area} required value={text} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
      <Problem error={create.error} />
      <div className="row">
        <Button type="submit" kind="primary" busy={create.isPending}>
          {label}
        </Button>
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
      </div>
    </form>
  )
}
