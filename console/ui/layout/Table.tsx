import type { ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { Problem } from '../forms/Problem.tsx'
import styles from './Table.module.css'

/** A column: its heading, and what a row shows there. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Aligned to the right, digits under digits. */
  isNumber?: boolean
  /** On a phone, which shows no headings, this one stands before the value. */
  isLabelled?: boolean
}

interface Props<Row> {
  /** The table's name for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  error?: unknown
  /** Reads the next page, if there is one. */
  more?: (() => void) | undefined
  /** Shown without rows: what would be here, and what to do. */
  empty: ReactNode
}

/**
 * A list of things as a table of hairlines; on a phone each row becomes two lines, its first column above.
 */
export function Table<Row>({ caption, columns, rows, keyOf, error, more, empty }: Props<Row>) {
  if (!rows && error) return <Problem error={error} />
  if (!rows) return <Loading />
  if (rows.length === 0) return <div className={styles.empty}>{empty}</div>
  return (
    <div>
      <Problem error={error} />
      <table className={styles.table}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isLabelled }) => (
                <td key={title} className={isNumber ? 'number' : undefined} data-label={isLabelled ? title : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more ? (
        <p className={styles.more}>
          <button type="button" onClick={more}>
            {t('Show more')}
          </button>
        </p>
      ) : null}
    </div>
  )
}

function Loading() {
  return (
    <div className={styles.loading}>
      <span className="hidden">{t('Loading …')}</span>
      <div className="outline" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    </div>
  )
}
