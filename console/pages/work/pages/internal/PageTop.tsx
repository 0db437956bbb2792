import { Link } from 'wouter'
import { useAll } from '../../../../data/all.ts'
import { usePeople } from '../../../../data/org.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { PageHead } from '../../../../ui/layout/PageHead.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { PageActions, type PageTopProps } from './PageActions.tsx'
import { usePresence } from './usePresence.ts'

/** The head of a page: its place, its published version, and its actions. */
export function PageTop({ org, page, mode, onMode, hasDraft }: PageTopProps) {
  const { nameOf } = usePeople(org)
  // A page names who began it; its version names who saved that.
  const number = String(page.version)
  const saved = useRead('getPageVersion', { params: { org, ref: page.id, number } }).data
  const isPublished = page.published_version === page.version
  return (
    <>
      <PageHead
        title={page.title}
        kicker={<Above org={org} page={page} />}
        about={
          <>
            {saved
              ? t('Version {version}, saved by {name}', { version: page.version, name: nameOf(saved.created_by) })
              : t('Version {version}', { version: page.version })}
            {' · '}
            <Time at={page.updated_at} />
            {' · '}
            {isPublished ? t('published') : publishedText(page.published_version)}
            {page.trashed_at ? null : <Others org={org} page={page.id} isEditing={mode === 'edit'} />}
          </>
        }
        actions={<PageActions org={org} page={page} mode={mode} onMode={onMode} hasDraft={hasDraft} />}
      />
      {page.trashed_at ? <p className="muted">{t('This page is in the trash.')}</p> : null}
    </>
  )
}

/** Who else has the page open, and who of them is editing it. */
function Others({ org, page, isEditing }: { org: string; page: string; isEditing: boolean }) {
  const others = usePresence(org, page, isEditing)
  const named = others.map(({ display_name, is_editing }) =>
    is_editing ? t('{name} (editing)', { name: display_name }) : display_name,
  )
  // It is said to a person who hears the page as well.
  return (
    <span role="status">{named.length > 0 ? ` · ${t('also here: {names}', { names: named.join(', ') })}` : ''}</span>
  )
}

function Above({ org, page }: { org: string; page: Body<'getPage'> }) {
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const space = spaces?.find(({ id }) => id === page.space_id)
  const above = []
  for (let id = page.parent_id; id; ) {
    const one = pages.find((listed) => listed.id === id)
    if (one) above.unshift(one)
    id = one?.parent_id ?? null
  }
  return (
    <span className="row small">
      {space ? <Link href={pathTo('space', { org, ref: space.short_id })}>{space.name}</Link> : null}
      {above.map(({ id, short_id, title }) => (
        <span key={id}>
          / <Link href={pathTo('page', { org, ref: short_id })}>{title}</Link>
        </span>
      ))}
      {space?.archived_at ? <State name="archived" /> : null}
    </span>
  )
}

function publishedText(version: number | null): string {
  return version === null ? t('not published') : t('version {version} is published', { version })
}
