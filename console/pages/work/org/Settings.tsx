import { useState } from 'react'
import { useOrg } from '../../../data/org.ts'
import { useRead } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Button } from '../../../ui/Button.tsx'
import { DescriptionList } from '../../../ui/DescriptionList.tsx'
import { bytesText } from '../../../ui/format.ts'
import { PageHead } from '../../../ui/PageHead.tsx'
import { PictureForm } from '../../../ui/PictureForm.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { OrgWebhooks } from '../../webhooks/OrgWebhooks.tsx'
import { Imports } from '../files/Imports.tsx'
import { OrgAgents } from './OrgAgents.tsx'
import { OrgDialog } from './OrgDialog.tsx'
import { OrgInvitations } from './OrgInvitations.tsx'
import { OrgMembers } from './OrgMembers.tsx'

/** The settings of an org: its members, agents, webhooks, imports and storage. */
export function Settings() {
  const { org: slug } = useOrgParams()
  const { org, isManager, error, isRead } = useOrg(slug)
  const [dialog, setDialog] = useState<'rename' | 'leave' | 'delete'>()
  if (!org) return isRead ? <PageHead title="There is no such org" /> : <Problem error={error} />
  return (
    <>
      <PageHead
        title={`Settings of ${org.display_name}`}
        about={`You are ${org.role} of ${slug}`}
        actions={
          <>
            {isManager ? <Button onClick={() => setDialog('rename')}>Rename</Button> : null}
            <Button onClick={() => setDialog('leave')}>Leave</Button>
            {org.role === 'owner' ? (
              <Button kind="danger" onClick={() => setDialog('delete')}>
                Delete
              </Button>
            ) : null}
          </>
        }
      />
      {isManager ? <PictureForm urn={urnOf('org', org.urn.body)} name={org.display_name} /> : null}
      <OrgMembers org={org} isManager={isManager} />
      {isManager ? <OrgInvitations org={org} /> : null}
      <OrgAgents org={slug} isManager={isManager} />
      {isManager ? <OrgWebhooks org={slug} /> : null}
      <Imports org={slug} />
      <Usage org={slug} />
      {dialog ? <OrgDialog org={org} dialog={dialog} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function Usage({ org }: { org: string }) {
  const { data, error } = useRead('getStorageUsage', { params: { org } })
  return (
    <Section title="Storage">
      <Problem error={error} />
      {data ? (
        <DescriptionList
          items={[
            ['Used, with old versions and the trash', bytesText(data.used_bytes)],
            ['Reserved by uploads', bytesText(data.reserved_bytes)],
            ['Quota', bytesText(data.quota_bytes)],
            ['Kept in the trash for', `${data.trash_days} days`],
          ]}
        />
      ) : null}
    </Section>
  )
}
