import { type FormEvent, useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import { KnownPeople } from './KnownPeople.tsx'
import { OperatorOnly } from './OperatorOnly.tsx'
import styles from './People.module.css'

/** The people of the market: found, created, and let in. */
export function People() {
  return (
    <OperatorOnly>
      <PageHead title="People" />
      <KnownPeople />
      <CreatePerson />
    </OperatorOnly>
  )
}

/** Creates an account for somebody, and makes the link that lets them in. */
function CreatePerson() {
  const create = useChange('createHuman', ['listHumans'])
  const [enrolling, setEnrolling] = useState<{ urn: string; name: string }>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = { display_name: String(form.get('display_name')), email: String(form.get('email')) }
    create.mutate({ body }, { onSuccess: ({ urn, display_name: name }) => setEnrolling({ urn: urnText(urn), name }) })
  }
  return (
    <Section title="Create an account">
      <form className={`stack ${styles.form}`} onSubmit={submit}>
        <Field label="Name" name="display_name" error={create.error}>
          {(props) => <input {...props} required maxLength={100} autoComplete="off" />}
        </Field>
        <Field label="E-mail" name="email" error={create.error}>
          {(props) => <input {...props} required type="email" autoComplete="off" />}
        </Field>
        <Problem error={create.error} />
        <div>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create the account
          </Button>
        </div>
      </form>
      {enrolling ? <EnrolDialog {...enrolling} onClose={() => setEnrolling(undefined)} /> : null}
    </Section>
  )
}
