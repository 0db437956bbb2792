import { useState } from 'react'
import { useChange } from '../../../data/queries.ts'
import { urnText } from '../../../data/urn.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../ui/forms/Form.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { EnrolDialog } from './internal/EnrolDialog.tsx'
import { Find } from './internal/Find.tsx'
import { KnownPeople } from './internal/KnownPeople.tsx'
import styles from './People.module.css'

/** The people of the market: search, new accounts and enrolment links. */
export function People() {
  return (
    <OperatorOnly>
      <PageHead title={t('People')} />
      <Find />
      <KnownPeople />
      <CreatePerson />
    </OperatorOnly>
  )
}

/** Creates an account for somebody, and makes their enrolment link. */
function CreatePerson() {
  const create = useChange('createHuman', ['listHumans'])
  const [enrolling, setEnrolling] = useState<{ urn: string; name: string }>()
  return (
    <Section title={t('Create an account')}>
      <Form
        submit={t('Create the account')}
        kind="primary"
        className={`stack ${styles.form}`}
        onSubmit={(form) =>
          create.mutateAsync({ body: { display_name: typed(form, 'display_name'), email: typed(form, 'email') } })
        }
        onDone={({ urn, display_name: name }) => setEnrolling({ urn: urnText(urn), name })}
      >
        <Field label={t('Name')} name="display_name">
          {(props) => <input {...props} required maxLength={100} autoComplete="off" />}
        </Field>
        <Field label={t('E-mail')} name="email">
          {(props) => <input {...props} required type="email" autoComplete="off" />}
        </Field>
      </Form>
      {enrolling ? <EnrolDialog {...enrolling} onClose={() => setEnrolling(undefined)} /> : null}
    </Section>
  )
}
