import { useState } from 'react'
import { useRead } from '../../data/queries.ts'
import { Amount } from '../../ui/Amount.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'

/** What is kept for the person: now, or at a time that they name. */
export function Balances() {
  const [at, setAt] = useState('')
  const { data, error } = useRead(
    'readBalances',
    at === '' ? {} : { query: { at: new Date(at).toISOString() } },
    at === '' ? { pollMs: 15_000 } : {},
  )
  const amounts = data ? [...Object.values(data.contract), ...Object.values(data.custody)] : []
  return (
    <Section title="Balances">
      <Field label="At" name="at" error={error} hint="Without a time: now.">
        {(props) => (
          <input {...props} type="datetime-local" step="1" value={at} onChange={({ target }) => setAt(target.value)} />
        )}
      </Field>
      <Problem error={error} />
      {data ? (
        <>
          <DescriptionList
            facts={[
              ['In the contract, for orders not decided', <Amount value={data.contract.held} aligned={amounts} />],
              ['In the contract, to withdraw', <Amount value={data.contract.claimable} aligned={amounts} />],
              ['In custody, for orders not decided', <Amount value={data.custody.held} aligned={amounts} />],
              ['Earned, not on its way', <Amount value={data.custody.payable} aligned={amounts} />],
              ['On its way to you', <Amount value={data.custody.in_transit} aligned={amounts} />],
              [
                'Kept apart: refunds that could not be made',
                <Amount value={data.custody.kept_apart} aligned={amounts} />,
              ],
            ]}
          />
          <p className="small muted">
            As of <Time at={data.as_of} relative={false} />
          </p>
        </>
      ) : null}
    </Section>
  )
}
