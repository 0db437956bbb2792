import { useState } from 'react'
import { Link } from 'wouter'
import { useOrg } from '../../../data/org.ts'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { ExportPages } from '../pages/export/ExportPages.tsx'
import { NewPage } from '../pages/tree/NewPage.tsx'
import { DeleteSpace } from '../spaces/DeleteSpace.tsx'
import { RenameSpace } from '../spaces/RenameSpace.tsx'
import { SpaceMembers } from '../spaces/SpaceMembers.tsx'

/** A space: its top pages and its members. */
export function Space() {
  const { org, ref } = useOrgParams()
  const { org: found } = useOrg(org)
  const { data: space, error } = useRead('getSpace', { params: { org, ref } })
  const pages = useList('listPages', { params: { org }, query: { space: ref, top: 'true' } })
  const update = useChange('updateSpace', ['getSpace', 'listSpaces'])
  const [dialog, setDialog] = useState<'page' | 'rename' | 'export' | 'delete'>()
  const close = () => setDialog(undefined)
  if (!space) return error ? <Problem error={error} /> : null
  const isPrivate = space.visibility === 'private'
  const change = (body: { visibility?: 'open' | 'private'; archived?: boolean }) =>
    update.mutate({ params: { org, ref }, body })
  return (
    <>
      <PageHead
        title={space.name}
        kicker={
          <span className="row">
            <Link href={pathTo('org', { org })}>{found?.display_name ?? org}</Link>
            {space.archived_at ? <State name="archived" /> : null}
          </span>
        }
        about={isPrivate ? t('Private: only its members, owners and admins can see it.') : t('Open to all of the org.')}
        actions={
          <>
            <Button kind="primary" disabled={space.archived_at !== null} onClick={() => setDialog('page')}>
              {t('New page')}
            </Button>
            <Button onClick={() => setDialog('rename')}>{t('Rename')}</Button>
            <Button busy={update.isPending} onClick={() => change({ visibility: isPrivate ? 'open' : 'private' })}>
              {isPrivate ? t('Open to all') : t('Make private')}
            </Button>
            <Button busy={update.isPending} onClick={() => change({ archived: !space.archived_at })}>
              {space.archived_at ? t('Unarchive') : t('Archive')}
            </Button>
            <Button onClick={() => setDialog('export')}>{t('Export')}</Button>
            <Button kind="danger" onClick={() => setDialog('delete')}>
              {t('Delete')}
            </Button>
          </>
        }
      />
      <Problem error={update.error} />
      <Section title={t('Pages')}>
        <Table
          caption={t('Top pages of the space')}
          rows={pages.items}
          error={pages.error}
          more={pages.more}
          keyOf={({ id }) => id}
          empty={<p>{t('No pages yet. Every version of a page is kept, and simultaneous edits are merged.')}</p>}
          columns={[
            {
              title: t('Page'),
              cell: ({ title, short_id }) => <Link href={pathTo('page', { org, ref: short_id })}>{title}</Link>,
            },
            { title: t('Version'), isLabelled: true, isNumber: true, cell: ({ version }) => version },
            { title: t('Changed'), isLabelled: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
          ]}
        />
      </Section>
      {isPrivate ? <SpaceMembers org={org} space={ref} /> : null}
      {dialog === 'page' ? <NewPage org={org} space={ref} onClose={close} /> : null}
      {dialog === 'rename' ? <RenameSpace org={org} space={space} onClose={close} /> : null}
      {dialog === 'export' ? <ExportPages org={org} what={{ space: space.id }} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteSpace org={org} space={space} onClose={close} /> : null}
    </>
  )
}
