import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Body } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { type Column, Table } from '../layout/Table.tsx'
import { bytesText } from '../values/format.ts'
import { Hash } from '../values/Hash.tsx'
import { Time } from '../values/Time.tsx'
import { OpenFile } from './OpenFile.tsx'

type EvidenceFile = Body<'getDispute'>['files'][number]

interface Props<File> {
  files: readonly File[]
  /** Asks for a link to the bytes of a file. */
  link: (urn: string) => Promise<string>
  /** Further columns. */
  columns?: readonly Column<File>[]
}

/** The files that both sides of a dispute submitted. They can be opened. */
export function EvidenceFiles<File extends EvidenceFile>({ files, link, columns = [] }: Props<File>) {
  return (
    <Table
      caption={t('Files that the parties submitted')}
      rows={files}
      keyOf={({ evidence_urn }) => evidence_urn.body}
      empty={<p>{t('No files submitted.')}</p>}
      columns={[
        { title: t('File'), cell: ({ filename }) => <strong>{filename ?? t('without a name')}</strong> },
        {
          title: t('Of'),
          cell: ({ party, stage }) =>
            stage === 'appeal'
              ? t('{party, select, buyer {the buyer, on the appeal} other {the seller, on the appeal}}', { party })
              : t('{party, select, buyer {the buyer} other {the seller}}', { party }),
        },
        { title: t('Size'), isNumber: true, isLabelled: true, cell: ({ size_bytes: size }) => bytesText(size) },
        { title: 'SHA-256', isLabelled: true, cell: ({ sha256 }) => <Hash value={sha256} /> },
        { title: t('Since'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
        ...columns,
        {
          title: t('Open'),
          cell: ({ evidence_urn, filename, sha256 }) => (
            <OpenFile
              name={filename ?? t('The file')}
              sha256={sha256}
              link={() => link(urnString('evidence', evidence_urn.body))}
            />
          ),
        },
      ]}
    />
  )
}
