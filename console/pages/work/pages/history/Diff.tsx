import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import styles from './Diff.module.css'

/** What changed between two versions of a page, by line. */
export function Diff({ diff }: { diff: Body<'diffPageVersions'> }) {
  if (diff.hunks.length === 0 && diff.old_title === diff.new_title) {
    return <p className="muted">{t('The same text as version {version}.', { version: diff.from })}</p>
  }
  return (
    <ol className={styles.diff}>
      {diff.old_title === diff.new_title ? null : (
        <li>
          <span className={styles.place}>{t('Title')}</span>
          <del>− {diff.old_title}</del>
          <ins>+ {diff.new_title}</ins>
        </li>
      )}
      {diff.hunks.map(({ from_line, removed, added }) => (
        <li key={from_line}>
          <span className={styles.place}>{t('Line {number}', { number: from_line })}</span>
          {removed.length > 0 ? <del>{marked('−', removed)}</del> : null}
          {added.length > 0 ? <ins>{marked('+', added)}</ins> : null}
        </li>
      ))}
    </ol>
  )
}

function marked(sign: string, lines: readonly string[]): string {
  return lines.map((line) => `${sign} ${line}`).join('\n')
}
