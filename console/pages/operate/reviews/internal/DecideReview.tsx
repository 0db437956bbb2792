import { useState } from 'react'
import { formatAmount, parseAmount } from '../../../../../protocol/encoding/amounts.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { wireAmount } from '../../../../ui/values/format.ts'

/** Decides a case: how much of the price goes back to the buyer, and why. */
export function DecideReview({ urn, price, onDone }: { urn: string; price: string; onDone: () => void }) {
  const decide = useChange('decideReview', ['listReviews', 'getDispute'])
  const [refund, setRefund] = useState('0.00')
  const priceMicros = parseAmount(price) ?? 0n
  const refundMicros = parseAmount(wireAmount(refund))
  const rest = refundMicros === undefined ? undefined : priceMicros - refundMicros
  const isPossible = refundMicros !== undefined && rest !== undefined && rest >= 0n
  const submit = (form: FormData) =>
    decide.mutateAsync({
      params: { urn },
      body: { refund: formatAmount(refundMicros ?? 0n), grounds: typed(form, 'grounds') },
    })
  if (decide.data) {
    return (
      <Section title={t('Decided')}>
        <p role="status">
          {decide.data.decided
            ? t('The verdict is signed. The money moves as it says.')
            : t('Your decision is recorded. Another reviewer has to decide too.')}
        </p>
        <Shares refundMicros={refundMicros} restMicros={rest} />
      </Section>
    )
  }
  return (
    <Section title={t('Decide')}>
      <Form
        submit={t('Decide with your passkey')}
        kind="primary"
        disabled={!isPossible}
        onSubmit={submit}
        onDone={onDone}
      >
        <Field
          label={t('Back to the buyer')}
          name="refund"
          hint={
            <span className="row">
              {t('From nothing to the whole price.')}
              <Button kind="quiet" onClick={() => setRefund('0.00')}>
                {t('Nothing')}
              </Button>
              <Button kind="quiet" onClick={() => setRefund(formatAmount(priceMicros / 2n))}>
                {t('Half')}
              </Button>
              <Button kind="quiet" onClick={() => setRefund(price)}>
                {t('All')}
              </Button>
            </span>
          }
        >
          {(props) => (
            <input {...props} required inputMode="decimal" value={refund} onChange={(e) => setRefund(e.target.value)} />
          )}
        </Field>
        <Shares refundMicros={refundMicros} restMicros={rest} />
        <Field label={t('Grounds')} name="grounds" hint={t('Both parties read this in the signed verdict.')}>
          {(props) => <textarea {...props} required maxLength={5_000} />}
        </Field>
        <p>{t('The verdict is final: the money moves as it says, and nobody can take it back.')}</p>
      </Form>
    </Section>
  )
}

/** What each side gets of the price. */
function Shares({ refundMicros, restMicros }: { refundMicros: bigint | undefined; restMicros: bigint | undefined }) {
  const isPossible = refundMicros !== undefined && restMicros !== undefined && restMicros >= 0n
  return (
    <DescriptionList
      items={[
        [
          t('To the buyer'),
          isPossible ? <Amount key="buyer" value={formatAmount(refundMicros)} /> : t('not a valid amount'),
        ],
        [
          t('To the seller, before the fee'),
          isPossible ? <Amount key="seller" value={formatAmount(restMicros)} /> : '–',
        ],
      ]}
    />
  )
}
