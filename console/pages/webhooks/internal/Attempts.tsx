import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import styles from './Attempts.module.css'

interface Props {
  attempts: readonly {
    attempted_at: string
    status_code: number | null
    latency_ms: number
    failure: string | null
  }[]
  /** The request's body, for the owner of the webhook. */
  sent?: string | undefined
  /** The beginning of the receiver's last answer, and its headers. */
  answered?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** The attempts of a delivery, with the request and the answer. */
export function Attempts({ attempts, sent, answered, headers }: Props) {
  return (
    <>
      <Table
        caption={t('Attempts since it was last replayed')}
        rows={attempts}
        keyOf={({ attempted_at }) => attempted_at}
        empty={<p>{t('It has not been tried yet.')}</p>}
        columns={[
          { title: t('Attempted'), cell: ({ attempted_at }) => <Time at={attempted_at} relative={false} /> },
          {
            title: t('Answer'),
            cell: ({ status_code, failure }) => status_code ?? (failure ? word(failure) : '–'),
          },
          { title: t('Took'), isNumber: true, cell: ({ latency_ms }) => `${latency_ms} ms` },
        ]}
      />
      {sent === undefined ? null : (
        <>
          <h3>{t('Request')}</h3>
          <Text>{indented(sent)}</Text>
        </>
      )}
      {headers ? (
        <>
          <h3>{t('Headers of the last answer')}</h3>
          <Text>
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Text>
        </>
      ) : null}
      {answered ? (
        <>
          <h3>{t('Last answer, the first 1,000 bytes')}</h3>
          <Text>{answered}</Text>
        </>
      ) : null}
    </>
  )
}

function Text({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
    <pre className={styles.text} tabIndex={0}>
      {children}
    </pre>
  )
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
