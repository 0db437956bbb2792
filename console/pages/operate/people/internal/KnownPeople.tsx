import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../People.module.css'
import { EnrolDialog } from './EnrolDialog.tsx'
import { roleText } from './roleText.ts'

/** Finds people by the beginning of their name, by their URN, or by the URN of their agent. */
export function KnownPeople() {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const { items, error, more } = useList('listHumans', q ? { query: { q } } : {})
  const [enrolling, setEnrolling] = useState<{ urn: string; name: string }>()
  return (
    <Section title={t('Accounts')}>
      <div className={styles.search}>
        <Field label={t('Find')} hint={t('The beginning of a name, or the URN of a person or of their agent.')}>
          {(props) => <input {...props} type="search" value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      </div>
      <Table
        caption={t('People')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('No matches.')}</p>}
        columns={[
          {
            title: t('Name'),
            cell: ({ urn, display_name: name }) => <Link href={pathTo('person', { id: urn.body })}>{name}</Link>,
          },
          { title: t('State'), cell: ({ erased_at: at }) => <State name={at ? 'erased' : 'active'} /> },
          {
            title: t('Role'),
            isLabelled: true,
            cell: ({ role, is_reviewer }) => roleText(role, is_reviewer),
          },
          { title: t('Passkeys'), isLabelled: true, isNumber: true, cell: ({ passkeys }) => passkeys },
          { title: t('Since'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { title: t('Id'), isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          {
            title: t('Change'),
            cell: ({ urn, display_name: name, erased_at }) =>
              erased_at ? null : (
                <Button onClick={() => setEnrolling({ urn: urnText(urn), name })}>{t('Enrol…')}</Button>
              ),
          },
        ]}
      />
      {enrolling ? <EnrolDialog {...enrolling} onClose={() => setEnrolling(undefined)} /> : null}
    </Section>
  )
}
