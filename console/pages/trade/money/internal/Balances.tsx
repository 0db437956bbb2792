import { useState } from 'react'
import { useRead } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The person's balances, now or at an earlier time. */
export function Balances() {
  const [at, setAt] = useState('')
  const { data, error } = useRead(
    'readBalances',
    at === '' ? {} : { query: { at: new Date(at).toISOString() } },
    at === '' ? { pollMs: 15_000 } : {},
  )
  const amounts = data ? [data.contract.held, data.contract.claimable, ...Object.values(data.custody)] : []
  return (
    <Section title={t('Balances')}>
      <Field label={t('At')} name="at" error={error} hint={t('Without a time: now.')}>
        {(props) => (
          <input {...props} type="datetime-local" step="1" value={at} onChange={({ target }) => setAt(target.value)} />
        )}
      </Field>
      <Problem error={error} />
      {data ? (
        <>
          <DescriptionList
            items={[
              [t('In the contract, for open orders'), <Amount value={data.contract.held} aligned={amounts} />],
              [t('In the contract, to withdraw'), <Amount value={data.contract.claimable} aligned={amounts} />],
              [t('In custody, for open orders'), <Amount value={data.custody.held} aligned={amounts} />],
              [t('Earned, not yet in a payout'), <Amount value={data.custody.payable} aligned={amounts} />],
              [t('Payouts in transit'), <Amount value={data.custody.in_transit} aligned={amounts} />],
              [t('Refunds that could not be made'), <Amount value={data.custody.kept_apart} aligned={amounts} />],
            ]}
          />
          <p className="small muted">
            <Trans message="As of {time}" time={<Time at={data.as_of} relative={false} />} />
          </p>
        </>
      ) : null}
    </Section>
  )
}
