import styles from './Amount.module.css'
import { amountParts } from './format.ts'

/** An amount of money on the wire, `20.000000`. In a column (`aligned`) the points stand under each other. */
export function Amount({ value, aligned, large }: { value: string; aligned?: boolean; large?: boolean }) {
  const { sign, whole, fraction, missing } = amountParts(value)
  return (
    <span className={large ? styles.large : styles.amount}>
      {sign}
      {whole}.{fraction}
      {aligned && missing ? (
        <span aria-hidden="true" className={styles.missing}>
          {missing}
        </span>
      ) : null}
    </span>
  )
}
