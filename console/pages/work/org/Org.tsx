import { useState } from 'react'
import { Link } from 'wouter'
import { useOrg } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Button } from '../../../ui/Button.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Section } from '../../../ui/Section.tsx'
import { State } from '../../../ui/State.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import { NewSpace } from '../spaces/NewSpace.tsx'
import { WhoIsIn } from './WhoIsIn.tsx'

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
        about={org ? `You are ${org.role} of ${slug}` : undefined}
        actions={
          <>
            <Link className="button" href={pathTo('pages', { org: slug })}>
              Pages
            </Link>
            <Link className="button" href={pathTo('tasks', { org: slug })}>
              Tasks
            </Link>
            <Link className="button" href={pathTo('attachments', { org: slug })}>
              Files
            </Link>
            <Link className="button" href={pathTo('settings', { org: slug })}>
              Settings
            </Link>
          </>
        }
      />
      <Section
        title="Spaces"
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            New space
          </Button>
        }
      >
        <Table
          caption="Spaces of the org"
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={<p>A space holds pages and tasks. Create one for all of the org, or for some of its members.</p>}
          columns={[
            {
              title: 'Space',
              cell: ({ name, short_id }) => <Link href={pathTo('space', { org: slug, ref: short_id })}>{name}</Link>,
            },
            {
              title: 'Visible to',
              isLabelled: true,
              cell: ({ visibility }) => (visibility === 'open' ? 'all of the org' : 'its members'),
            },
            { title: 'State', cell: ({ archived_at }) => <State name={archived_at ? 'archived' : 'active'} /> },
            { title: 'Since', isLabelled: true, cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
          ]}
        />
      </Section>
      <WhoIsIn org={slug} />
      {isNew ? <NewSpace org={slug} onClose={() => setNew(false)} /> : null}
    </>
  )
}
