import { t } from '../../../texts/texts.ts'
import { Time } from '../../../ui/values/Time.tsx'
import styles from './HealthBadge.module.css'

interface Props {
  isAlive: boolean
  word?: string
  /** The time of its last sign of life. */
  at?: string | null
}

/** Shows whether something is healthy: by glyph, colour and word. */
export function HealthBadge({ isAlive, word = isAlive ? t('alive') : t('absent'), at }: Props) {
  return (
    <span>
      <span className={isAlive ? styles.well : styles.ill}>
        <span aria-hidden="true">{isAlive ? '●' : '▮'}</span> {word}
      </span>
      {at ? (
        <>
          {' · '}
          <Time at={at} />
        </>
      ) : null}
    </span>
  )
}
