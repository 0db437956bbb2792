import { useState } from 'react'
import { Link } from 'wouter'
import { useOrg, usePeople } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { NewSpace } from '../spaces/NewSpace.tsx'

/** An org: its spaces, and links to its work. */
export function Org() {
  const { org: slug } = useOrgParams()
  const { org } = useOrg(slug)
  const { items, error, more } = useList('listSpaces', { params: { org: slug } })
  const [isNew, setNew] = useState(false)
  return (
    <>
      <PageHead
        title={org?.display_name ?? slug}
        about={
          org
            ? t('You are {role, select, owner {owner} admin {admin} other {member}} of {org}', {
                role: org.role,
                org: slug,
              })
            : undefined
        }
        actions={
          <>
            <Link className="button" href={pathTo('pages', { org: slug })}>
              {t('Pages')}
            </Link>
            <Link className="button" href={pathTo('tasks', { org: slug })}>
              {t('Tasks')}
            </Link>
            <Link className="button" href={pathTo('attachments', { org: slug })}>
              {t('Files')}
            </Link>
            <Link className="button" href={pathTo('settings', { org: slug })}>
              {t('Settings')}
            </Link>
          </>
        }
      />
      <Section
        title={t('Spaces')}
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            {t('New space')}
          </Button>
        }
      >
        <Table
          caption={t('Spaces of the org')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={
            <p>{t('A space holds pages and tasks. Create one for all of the org, or for some of its members.')}</p>
          }
          columns={[
            {
              title: t('Space'),
              cell: ({ name, short_id }) => <Link href={pathTo('space', { org: slug, ref: short_id })}>{name}</Link>,
            },
            {
              title: t('Visible to'),
              isLabelled: true,
              cell: ({ visibility }) => (visibility === 'open' ? t('all of the org') : t('its members')),
            },
            { title: t('State'), cell: ({ archived_at }) => <State name={archived_at ? 'archived' : 'active'} /> },
            {
              title: t('Since'),
              isLabelled: true,
              cell: ({ created_at }) => <Time at={created_at} relative={false} />,
            },
          ]}
        />
      </Section>
      <WhoIsIn org={slug} />
      {isNew ? <NewSpace org={slug} onClose={() => setNew(false)} /> : null}
    </>
  )
}

/** The people and the agents that are in an org. */
function WhoIsIn({ org }: { org: string }) {
  const { people, nameOf } = usePeople(org)
  const groups = [
    [t('People'), people.filter(({ urn }) => urn.startsWith('market:human:'))],
    [t('Agents'), people.filter(({ urn }) => urn.startsWith('market:agent:'))],
  ] as const
  return (
    <Section title={t('People and agents')}>
      {groups
        .filter(([, members]) => members.length > 0)
        .map(([title, members]) => (
          <ul key={title} className="plain row" aria-label={title}>
            {members.map(({ id, name }) => (
              <li key={id} className="row">
                <Avatar id={id} name={name} />
                <span>
                  {name}
                  {nameOf(id) === t('you') ? <span className="muted"> ({t('you')})</span> : null}
                </span>
              </li>
            ))}
          </ul>
        ))}
    </Section>
  )
}
