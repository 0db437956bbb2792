import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { useOrg } from '../../../data/org.ts'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import styles from '../../../ui/layout/Layout.module.css'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { bytesText } from '../../../ui/values/format.ts'
import { Time } from '../../../ui/values/Time.tsx'
import { EmptyTrash } from './internal/DeleteForGood.tsx'
import { UploadFiles } from './UploadFiles.tsx'

/** The files of an org, or its trash. New files are attached to a page. */
export function Attachments() {
  const { org } = useOrgParams()
  const [search] = useSearchParams()
  const isTrash = search.has('trash')
  const { data: usage } = useRead('getStorageUsage', { params: { org } })
  const list = useList('listAttachments', { params: { org }, query: isTrash ? { trash: 'true' } : {} })
  const restore = useChange('restoreAttachment', ['listAttachments'])
  const { isManager } = useOrg(org)
  const [isEmptying, setEmptying] = useState(false)
  const here = pathTo('attachments', { org })
  return (
    <>
      <PageHead
        title={t('Files')}
        actions={
          isTrash && isManager ? (
            <Button kind="danger" onClick={() => setEmptying(true)}>
              {t('Empty the trash')}
            </Button>
          ) : null
        }
        about={
          usage
            ? t('{used} of {quota} are used', {
                used: bytesText(usage.used_bytes),
                quota: bytesText(usage.quota_bytes),
              })
            : undefined
        }
      />
      <nav aria-label={t('Which files')} className={styles.filters}>
        <Link href={here} aria-current={isTrash ? undefined : 'true'}>
          {t('Files')}
        </Link>
        <Link href={`${here}?trash`} aria-current={isTrash ? 'true' : undefined}>
          {t('Trash')}
        </Link>
      </nav>
      <Problem error={restore.error} />
      <Section title={isTrash ? t('In the trash') : t('Attached')}>
        <Table
          caption={isTrash ? t('Files in the trash') : t('Files, the newest first')}
          rows={list.items}
          error={list.error}
          more={list.more}
          keyOf={({ id }) => id}
          empty={
            <p>
              {isTrash
                ? t('The trash is empty.')
                : t('No files yet. Files are attached to pages, and the search finds their text.')}
            </p>
          }
          columns={[
            {
              title: t('File'),
              cell: ({ short_id, filename }) => (
                <Link href={pathTo('attachment', { org, ref: short_id })}>{filename}</Link>
              ),
            },
            { title: t('Kind'), cell: ({ media_type }) => media_type },
            { title: t('Size'), isLabelled: true, isNumber: true, cell: ({ size_bytes }) => bytesText(size_bytes) },
            isTrash
              ? {
                  title: t('Change'),
                  cell: ({ id, filename }) => (
                    <Button
                      aria-label={t('Restore {name}', { name: filename })}
                      onClick={() => restore.mutate({ params: { org, ref: id } })}
                    >
                      {t('Restore')}
                    </Button>
                  ),
                }
              : { title: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
          ]}
        />
      </Section>
      {isEmptying ? <EmptyTrash org={org} onClose={() => setEmptying(false)} /> : null}
      {isTrash ? null : <AttachTo org={org} />}
    </>
  )
}

function AttachTo({ org }: { org: string }) {
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const [chosen, setChosen] = useState<string>()
  const page = chosen ?? pages[0]?.id
  if (!page) return null
  return (
    <Section title={t('Attach files')}>
      <Field label={t('To the page')}>
        {(props) => (
          <select {...props} value={page} onChange={(event) => setChosen(event.target.value)}>
            {pages.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <UploadFiles org={org} page={page} insert="none" label={t('Files')} />
    </Section>
  )
}
