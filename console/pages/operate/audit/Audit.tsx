import { useState } from 'react'
import { useRead } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { SaveJson } from '../../../ui/files/SaveJson.tsx'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AuditCheck } from './internal/AuditCheck.tsx'
import { Liabilities } from './internal/Liabilities.tsx'

const PAGE_ENTRIES = 50

/** The audit log: who did what, in a chain of hashes that this page can check. It is public. */
export function Audit() {
  const head = useRead('getAuditHead', {})
  const signed = head.data?.document
  return (
    <>
      <PageHead
        title={t('Audit log')}
        about={
          signed ? (
            <Trans
              message="{count, plural, one {# entry} other {# entries}}, signed {time}: {hash}"
              count={signed.position}
              time={<Time at={signed.as_of} />}
              hash={<Hash value={signed.hash} />}
            />
          ) : null
        }
        actions={
          head.data ? (
            <SaveJson name={`audit-head-${head.data.document.position}`} value={head.data}>
              {t('Save the head')}
            </SaveJson>
          ) : undefined
        }
      />
      <Problem error={head.error} />
      <AuditCheck />
      <Liabilities />
      {signed ? <Entries newest={signed.position} /> : null}
    </>
  )
}

/**
 * The entries, the newest first. The service lists them from the first on: each page begins behind a
 * position.
 */
function Entries({ newest }: { newest: number }) {
  const [end, setEnd] = useState<number>()
  const last = end ?? newest
  const after = Math.max(0, last - PAGE_ENTRIES)
  // Behind the signed head are what was done since: the first page has them too.
  const limit = end === undefined ? 2 * PAGE_ENTRIES : last - after
  const { data, error } = useRead('listAuditLog', { query: { after, limit } })
  return (
    <Section title={t('Entries, the newest first')}>
      <Table
        caption={t('Entries of the audit log')}
        rows={data?.entries.toReversed()}
        error={error}
        keyOf={({ hash }) => hash}
        empty={<p>{t('Nothing has been done yet.')}</p>}
        columns={[
          {
            title: t('Action'),
            cell: ({ position, content }) => (
              <strong>
                {position} · {content?.action ?? t('of others, or erased')}
              </strong>
            ),
          },
          {
            title: t('By'),
            isLabelled: true,
            cell: ({ content }) => (content ? <Party text={content.actor} /> : null),
          },
          {
            title: t('On'),
            isLabelled: true,
            cell: ({ content }) => (content ? <Party text={content.subject} /> : null),
          },
          { title: t('At'), cell: ({ content }) => (content ? <Time at={content.created_at} /> : null) },
          { title: t('Hash'), isLabelled: true, cell: ({ hash }) => <Hash value={hash} /> },
        ]}
      />
      <div className="row">
        {end === undefined ? null : <Button onClick={() => setEnd(undefined)}>{t('The newest')}</Button>}
        {after > 0 ? <Button onClick={() => setEnd(after)}>{t('Older entries')}</Button> : null}
      </div>
    </Section>
  )
}

/** An account or a thing: its kind, and its id to copy. What is not a URN is shown as it is. */
function Party({ text }: { text: string }) {
  const [, kind, id] = /^market:(\w+):(.+)$/.exec(text) ?? []
  if (!kind || !id) return text
  return (
    <>
      {word(kind)} <Hash value={id} />
    </>
  )
}
