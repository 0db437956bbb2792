import { grouped } from '../ui/values/format.ts'
import styles from './WholeAddress.module.css'

/**
 * An address or a hash that somebody signs for: all of it, in groups of four, since look-alikes share their
 * ends.
 */
export function WholeAddress({ value }: { value: string }) {
  return (
    <span className={`mono ${styles.whole}`} title={value}>
      <span aria-hidden="true">0x{grouped(value)}</span>
      <span className="hidden">{value}</span>
    </span>
  )
}
