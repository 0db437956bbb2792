import { useState } from 'react'
import { useList } from '../../data/queries.ts'
import { Amount } from '../../ui/Amount.tsx'
import { ChainHash } from '../../ui/ChainHash.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './People.module.css'

const STATES = ['pending', 'blocked', 'submitted', 'confirmed', 'failed'] as const

/** All payouts out of custody, by state. */
export function AllPayouts() {
  const [state, setState] = useState<(typeof STATES)[number]>()
  const { items, error, more } = useList('listAllPayouts', state ? { query: { state } } : {}, { pollMs: 10_000 })
  return (
    <Section title="Payouts of everybody">
      <div className={styles.search}>
        <Field label="State">
          {(props) => (
            <select
              {...props}
              value={state ?? ''}
              onChange={(event) => setState(STATES.find((each) => each === event.target.value))}
            >
              <option value="">Every state</option>
              {STATES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Table
        caption="Payouts"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{state ? `No payout is ${state}.` : 'Nothing has been paid out of custody yet.'}</p>}
        columns={[
          { title: 'Payout', cell: ({ urn }) => <Hash value={urn.body} /> },
          {
            title: 'State',
            cell: ({ state: now, reason }) => (
              <>
                <State name={now} /> {reason ? <span className="small muted">{reason}</span> : null}
              </>
            ),
          },
          { title: 'Leg', isLabelled: true, cell: ({ leg }) => (leg === 'payee' ? 'to a seller' : 'a refund') },
          {
            title: 'Amount',
            isNumber: true,
            isLabelled: true,
            cell: ({ amount }) => <Amount value={amount} aligned />,
          },
          {
            title: 'To',
            isLabelled: true,
            cell: ({ to }) => (to ? <ChainHash kind="address" value={to} /> : 'no wallet yet'),
          },
          { title: 'Created', isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Section>
  )
}
