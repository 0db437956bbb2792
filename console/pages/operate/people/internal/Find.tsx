import { Link } from 'wouter'
import { type Body, useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../People.module.css'

const NONE_BY: Record<Body<'searchEverything'>['by'], Message> = {
  urn: msg('Nothing has this as a URN.'),
  id: msg('Nothing has this as an id.'),
  hash: msg('No transaction, hold or nonce is this.'),
  address: msg('No address on the chain is this.'),
  email: msg('Nobody has this as an e-mail address.'),
  name: msg('No name begins with this.'),
}

/**
 * Finds anything of the market by what identifies it. The operator's passkey stands behind each search, and
 * the audit log has it.
 */
export function Find() {
  const search = useChange('searchEverything')
  const { data } = search
  return (
    <Section title={t('Search everything')}>
      <Form
        submit={t('Search')}
        kind="primary"
        className={`stack ${styles.find}`}
        onSubmit={(form) => search.mutateAsync({ body: { q: typed(form, 'q') } })}
      >
        <Field
          label={t('What')}
          name="q"
          hint={t(
            'A URN or id of an order, person, agent, org, dispute, payout or webhook; a transaction hash; a wallet; a whole e-mail address; the beginning of a name. Searches are recorded.',
          )}
        >
          {(props) => <input {...props} type="search" required maxLength={254} autoComplete="off" />}
        </Field>
      </Form>
      {data ? (
        <Table
          caption={t('Found')}
          rows={data.found}
          keyOf={({ urn }) => urn.prefix + urn.body}
          empty={<p>{t(NONE_BY[data.by])}</p>}
          columns={[
            {
              title: t('What'),
              cell: ({ urn, title }) => (
                <>
                  <span className="muted">{word(urn.prefix)}</span>{' '}
                  {urn.prefix === 'human' ? (
                    <Link href={pathTo('person', { id: urn.body })}>{title}</Link>
                  ) : (
                    <strong>{title}</strong>
                  )}
                </>
              ),
            },
            { title: t('State'), cell: ({ state }) => (state ? <State name={state} /> : null) },
            {
              title: t('Amount'),
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => (amount ? <Amount value={amount} aligned /> : '–'),
            },
            { title: t('People'), isLabelled: true, cell: ({ people }) => <People people={people} /> },
            { title: t('Since'), isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: t('Id'), isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
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
