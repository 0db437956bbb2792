import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { pathTo } from '../../routing/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import styles from './People.module.css'

/** Finds people by the beginning of their name, by their URN, or by the URN of their agent. */
export function KnownPeople() {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const { items, error, more } = useList('listHumans', q ? { query: { q } } : {})
  const [enrolling, setEnrolling] = useState<{ urn: string; name: string }>()
  return (
    <Section title="Accounts">
      <div className={styles.search}>
        <Field label="Find" hint="The beginning of a name, or the URN of a person or of their agent.">
          {(props) => <input {...props} type="search" value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      </div>
      <Table
        caption="People"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>No matches.</p>}
        columns={[
          {
            title: 'Name',
            cell: ({ urn, display_name: name }) => <Link href={pathTo('person', { id: urn.body })}>{name}</Link>,
          },
          { title: 'State', cell: ({ erased_at: at }) => <State name={at ? 'erased' : 'active'} /> },
          {
            title: 'Role',
            isLabelled: true,
            cell: ({ role, is_reviewer }) => `${role}${is_reviewer ? ', reviewer' : ''}`,
          },
          { title: 'Passkeys', isLabelled: true, isNumber: true, cell: ({ passkeys }) => passkeys },
          { title: 'Since', isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Id', isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          {
            title: 'Change',
            cell: ({ urn, display_name: name, erased_at }) =>
              erased_at ? null : <Button onClick={() => setEnrolling({ urn: urnText(urn), name })}>Enrol…</Button>,
          },
        ]}
      />
      {enrolling ? <EnrolDialog {...enrolling} onClose={() => setEnrolling(undefined)} /> : null}
    </Section>
  )
}
