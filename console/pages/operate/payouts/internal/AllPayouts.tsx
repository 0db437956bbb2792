import { useState } from 'react'
import { useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../../people/People.module.css'

const STATES = ['pending', 'blocked', 'submitted', 'confirmed', 'failed'] as const

/** All payouts out of custody, by state. */
export function AllPayouts() {
  const [state, setState] = useState<(typeof STATES)[number]>()
  const { items, error, more } = useList('listAllPayouts', state ? { query: { state } } : {}, { pollMs: 10_000 })
  return (
    <Section title={t('Payouts of everybody')}>
      <div className={styles.search}>
        <Field label={t('State')}>
          {(props) => (
            <select
              {...props}
              value={state ?? ''}
              onChange={(event) => setState(STATES.find((each) => each === event.target.value))}
            >
              <option value="">{t('Every state')}</option>
              {STATES.map((each) => (
                <option key={each} value={each}>
                  {word(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Table
        caption={t('Payouts')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <p>
            {state
              ? t('No payout is {state}.', { state: word(state) })
              : t('Nothing has been paid out of custody yet.')}
          </p>
        }
        columns={[
          { title: t('Payout'), cell: ({ urn }) => <Hash value={urn.body} /> },
          {
            title: t('State'),
            cell: ({ state: now, reason }) => (
              <>
                <State name={now} /> {reason ? <span className="small muted">{reason}</span> : null}
              </>
            ),
          },
          {
            title: t('Leg'),
            isLabelled: true,
            cell: ({ leg }) => (leg === 'payee' ? t('to a seller') : t('a refund')),
          },
          {
            title: t('Amount'),
            isNumber: true,
            isLabelled: true,
            cell: ({ amount }) => <Amount value={amount} aligned />,
          },
          {
            title: t('To'),
            isLabelled: true,
            cell: ({ to }) => (to ? <ChainHash kind="address" value={to} /> : t('no wallet yet')),
          },
          { title: t('Created'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Section>
  )
}
