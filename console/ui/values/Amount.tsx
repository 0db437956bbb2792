import styles from './Amount.module.css'
import { amountParts } from './format.ts'

interface Props {
  value: string
  /** Leaves room for six digits, or for as many as any of these amounts has. */
  aligned?: boolean | readonly string[]
  large?: boolean
}

/** An amount of money on the wire, `20.000000`. In a column (`aligned`) the points stand under each other. */
export function Amount({ value, aligned = false, large = false }: Props) {
  const { sign, whole, point, fraction, missing: all } = amountParts(value)
  const digits =
    typeof aligned === 'boolean' ? 6 : Math.max(...aligned.map((each) => amountParts(each).fraction.length))
  const missing = all.slice(0, Math.max(0, digits - fraction.length))
  return (
    <span className={large ? styles.large : styles.amount}>
      {sign}
      {whole}
      {point}
      {fraction}
      {aligned && missing ? (
        <span aria-hidden="true" className={styles.missing}>
          {missing}
        </span>
      ) : null}
    </span>
  )
}
