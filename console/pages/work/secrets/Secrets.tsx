import { useState } from 'react'
import { useAll } from '../../../data/all.ts'
import { useOrg, usePeople } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Button } from '../../../ui/Button.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import { NewSecret } from './NewSecret.tsx'
import { SecretDialog, type SecretStep } from './SecretDialog.tsx'
import { SecretPolicy } from './SecretPolicy.tsx'

/** The secrets of an org: their names, and a value on demand. The address may name one of them. */
export function Secrets() {
  const { org, ref } = useOrgParams()
  const { isManager } = useOrg(org)
  const { nameOf } = usePeople(org)
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const { items, error, more } = useList('listSecrets', { params: { org } })
  const [isNew, setNew] = useState(false)
  const [asked, setAsked] = useState<{ id: string; step: SecretStep }>()
  const secret = items?.find(({ id }) => id === asked?.id)
  return (
    <>
      <PageHead
        title="Secrets"
        about="Values are encrypted, and appear in no list, event, search or export. Each reveal is recorded, and the author is told."
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            New secret
          </Button>
        }
      />
      <Section title="Stored here">
        <Table
          caption="Secrets of the org"
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={
            <p>No secrets yet. Store the keys and passwords that work here needs, for the org or for one space.</p>
          }
          columns={[
            {
              title: 'Name',
              cell: ({ name, id, short_id }) => (
                <span className="mono">{ref === id || ref === short_id ? <mark>{name}</mark> : name}</span>
              ),
            },
            {
              title: 'Of',
              cell: ({ space_id }) =>
                space_id ? (spaces?.find(({ id }) => id === space_id)?.name ?? '') : 'all of the org',
            },
            { title: 'By', cell: ({ created_by }) => nameOf(created_by) },
            { title: 'Value of', cell: ({ updated_at }) => <Time at={updated_at} /> },
            {
              title: 'Change',
              cell: ({ id, name }) => (
                <span className="row">
                  <Button aria-label={`Reveal ${name}`} onClick={() => setAsked({ id, step: 'reveal' })}>
                    Reveal
                  </Button>
                  <Button aria-label={`Replace ${name}`} onClick={() => setAsked({ id, step: 'replace' })}>
                    Replace
                  </Button>
                  <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setAsked({ id, step: 'delete' })}>
                    Delete
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </Section>
      <SecretPolicy org={org} isManager={isManager} />
      {isNew ? <NewSecret org={org} onClose={() => setNew(false)} /> : null}
      {secret && asked ? (
        <SecretDialog org={org} secret={secret} step={asked.step} onClose={() => setAsked(undefined)} />
      ) : null}
    </>
  )
}
