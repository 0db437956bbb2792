import { Link } from 'wouter'
import { type Body, useChange } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form, typed } from '../../ui/Form.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './People.module.css'

const READ_AS: Record<Body<'searchEverything'>['by'], string> = {
  urn: 'a URN',
  id: 'an id',
  hash: 'a transaction, a hold or a nonce',
  address: 'an address on the chain',
  email: 'an e-mail address',
  name: 'the beginning of a name',
}

/** Finds anything of the market by what identifies it. The operator's passkey stands behind each search, and the audit log has it. */
export function Find() {
  const search = useChange('searchEverything')
  const { data } = search
  return (
    <Section title="Search everything">
      <Form
        submit="Search"
        kind="primary"
        className={`stack ${styles.find}`}
        onSubmit={(form) => search.mutateAsync({ body: { q: typed(form, 'q') } })}
      >
        <Field
          label="What"
          name="q"
          hint="A URN or id of an order, person, agent, org, dispute, payout or webhook; a transaction hash; a wallet; a whole e-mail address; the beginning of a name. Searches are recorded."
        >
          {(props) => <input {...props} type="search" required maxLength={254} autoComplete="off" />}
        </Field>
      </Form>
      {data ? (
        <Table
          caption="Found"
          rows={data.found}
          keyOf={({ urn }) => urn.prefix + urn.body}
          empty={<p>Nothing has this as {READ_AS[data.by]}.</p>}
          columns={[
            {
              title: 'What',
              cell: ({ urn, title }) => (
                <>
                  <span className="muted">{urn.prefix}</span>{' '}
                  {urn.prefix === 'human' ? (
                    <Link href={pathTo('person', { id: urn.body })}>{title}</Link>
                  ) : (
                    <strong>{title}</strong>
                  )}
                </>
              ),
            },
            { title: 'State', cell: ({ state }) => (state ? <State name={state} /> : null) },
            {
              title: 'Amount',
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => (amount ? <Amount value={amount} aligned /> : '–'),
            },
            { title: 'People', isLabelled: true, cell: ({ people }) => <People people={people} /> },
            { title: 'Since', isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: 'Id', isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          ]}
        />
      ) : null}
    </Section>
  )
}

function People({ people }: { people: Body<'searchEverything'>['found'][number]['people'] }) {
  if (people.length === 0) return '–'
  return people.map(({ urn, display_name: name }, place) => (
    <span key={urn.body}>
      {place > 0 ? ', ' : ''}
      <Link href={pathTo('person', { id: urn.body })}>{name}</Link>
    </span>
  ))
}
