import { useState } from 'react'
import { usePeople } from '../../../../data/org.ts'
import { type Body, useChange, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Time } from '../../../../ui/values/Time.tsx'
import { DeleteVersion } from './DeleteForGood.tsx'

/** The versions of a file: each downloaded, and an old one made current again, or deleted for good. */
export function AttachmentVersions({ org, file }: { org: string; file: Body<'getAttachment'> }) {
  const { nameOf } = usePeople(org)
  const [deleted, setDeleted] = useState<number>()
  const { data, error } = useRead('listAttachmentVersions', { params: { org, ref: file.id } })
  const restore = useChange('restoreAttachmentVersion', [
    'getAttachment',
    'listAttachmentVersions',
    'readAttachmentText',
  ])
  return (
    <Section title={t('Versions')}>
      <Problem error={restore.error} />
      <Table
        caption={t('Versions of the file, the newest first')}
        rows={data}
        error={error}
        keyOf={({ number }) => String(number)}
        empty={null}
        columns={[
          {
            title: t('Version'),
            cell: ({ number, is_current, scan_state }) =>
              scan_state === 'deleted' ? (
                `${number} · ${t('deleted, infected')}`
              ) : (
                <a href={`/orgs/${encodeURIComponent(org)}/attachments/${file.id}/versions/${number}/download`}>
                  {number}
                  {is_current ? ` · ${t('current')}` : ''}
                </a>
              ),
          },
          { title: t('Size'), isLabelled: true, isNumber: true, cell: ({ size_bytes }) => bytesText(size_bytes) },
          { title: t('By'), isLabelled: true, cell: ({ created_by }) => nameOf(created_by) },
          { title: t('Made'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('Change'),
            cell: ({ number, may }) => (
              <>
                {may.includes('restore') ? (
                  <Button
                    aria-label={t('Make version {number} current', { number })}
                    busy={restore.isPending}
                    onClick={() => restore.mutate({ params: { org, ref: file.id, number: String(number) } })}
                  >
                    {t('Make current')}
                  </Button>
                ) : null}
                {may.includes('delete') ? (
                  <Button
                    kind="danger"
                    aria-label={t('Delete version {number} for good', { number })}
                    onClick={() => setDeleted(number)}
                  >
                    {t('Delete')}
                  </Button>
                ) : null}
              </>
            ),
          },
        ]}
      />
      {deleted === undefined ? null : (
        <DeleteVersion {...{ org, file }} number={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </Section>
  )
}
