import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { typedAmount, wireAmount } from '../../../ui/values/format.ts'
import styles from './SpendLimit.module.css'

// The service's form of an amount: the browser refuses anything else before it is sent.
const AMOUNT = String.raw`(0|[1-9]\d{0,11})(\.\d{1,6})?`

/** The most that a token may pay: null is no limit. */
export interface SpendLimit {
  per_order: string | null
  per_day: string | null
}

interface Props {
  /** The member of the body that takes the limit. Without it, the body is the limit. */
  within?: string
  limit?: SpendLimit | null
}

/** Fields for the spend limit of a token: for one payment, and for a day. */
export function SpendLimitFields({ within, limit }: Props) {
  const name = (member: keyof SpendLimit) => (within === undefined ? member : `${within}.${member}`)
  const value = (member: keyof SpendLimit) => typedAmount(limit?.[member] ?? '')
  return (
    <fieldset className={styles.fields}>
      <legend>{t('It pays at most')}</legend>
      <Field label={t('For one payment, USDC')} name={name('per_order')} hint={t('Empty: no limit.')}>
        {(props) => <input {...props} inputMode="decimal" pattern={AMOUNT} defaultValue={value('per_order')} />}
      </Field>
      <Field label={t('In a day, USDC')} name={name('per_day')} hint={t('Days end at midnight, UTC.')}>
        {(props) => <input {...props} inputMode="decimal" pattern={AMOUNT} defaultValue={value('per_day')} />}
      </Field>
    </fieldset>
  )
}

/** Returns the limit that was typed in a form. */
export function limitOf(form: FormData, within?: string): SpendLimit {
  const read = (member: keyof SpendLimit) => {
    const text = typed(form, within === undefined ? member : `${within}.${member}`).trim()
    return text === '' ? null : wireAmount(text)
  }
  return { per_order: read('per_order'), per_day: read('per_day') }
}
