import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Time } from '../../../../ui/values/Time.tsx'
import { UploadFiles } from '../../files/UploadFiles.tsx'

/** The files that are attached to a page. */
export function PageFiles({ org, page }: { org: string; page: string }) {
  const { items, error, more } = useList('listAttachments', { params: { org }, query: { page } })
  const [isShown, setShown] = useState(false)
  return (
    <Section title={t('Files')}>
      <Table
        caption={t('Files of the page')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>{t('No files yet. The search finds the text in files.')}</p>}
        columns={[
          {
            title: t('File'),
            cell: ({ short_id, filename }) => (
              <Link href={pathTo('attachment', { org, ref: short_id })}>{filename}</Link>
            ),
          },
          { title: t('Size'), isLabelled: true, isNumber: true, cell: ({ size_bytes }) => bytesText(size_bytes) },
          { title: t('Version'), isLabelled: true, isNumber: true, cell: ({ version }) => version },
          { title: t('Attached'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <details>
        <summary>{t('Attach files')}</summary>
        <UploadFiles org={org} page={page} insert={isShown ? 'embed' : 'none'} label={t('Files')} takesFolders />
        <label className="row small">
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
          {t('Show them at the end of the text')}
        </label>
      </details>
    </Section>
  )
}
