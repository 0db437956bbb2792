import { useState } from 'react'
import { useOrg } from '../../../data/org.ts'
import { useRead } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { PictureForm } from '../../../ui/pictures/PictureForm.tsx'
import { bytesText } from '../../../ui/values/format.ts'
import { OrgWebhooks } from '../../webhooks/OrgWebhooks.tsx'
import { Imports } from '../files/Imports.tsx'
import { OrgAgents } from './internal/OrgAgents.tsx'
import { OrgDialog } from './internal/OrgDialog.tsx'
import { OrgInvitations } from './internal/OrgInvitations.tsx'
import { OrgMembers } from './internal/OrgMembers.tsx'

/** The settings of an org: its members, agents, webhooks, imports and storage. */
export function Settings() {
  const { org: slug } = useOrgParams()
  const { org, isManager, error, isRead } = useOrg(slug)
  const [dialog, setDialog] = useState<'rename' | 'leave' | 'delete'>()
  if (!org) return isRead ? <PageHead title={t('There is no such org')} /> : <Problem error={error} />
  return (
    <>
      <PageHead
        title={t('Settings of {name}', { name: org.display_name })}
        about={t('You are {role, select, owner {owner} admin {admin} other {member}} of {org}', {
          role: org.role,
          org: slug,
        })}
        actions={
          <>
            {isManager ? <Button onClick={() => setDialog('rename')}>{t('Rename')}</Button> : null}
            <Button onClick={() => setDialog('leave')}>{t('Leave')}</Button>
            {org.role === 'owner' ? (
              <Button kind="danger" onClick={() => setDialog('delete')}>
                {t('Delete')}
              </Button>
            ) : null}
          </>
        }
      />
      {isManager ? (
        <Section title={t('Picture')}>
          <PictureForm urn={urnOf('org', org.urn.body)} name={org.display_name} />
        </Section>
      ) : null}
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
    <Section title={t('Storage')}>
      <Problem error={error} />
      {data ? (
        <DescriptionList
          items={[
            [t('Used, with old versions and the trash'), bytesText(data.used_bytes)],
            [t('Reserved by uploads'), bytesText(data.reserved_bytes)],
            [t('Quota'), bytesText(data.quota_bytes)],
            [t('Kept in the trash for'), t('{days, plural, one {# day} other {# days}}', { days: data.trash_days })],
          ]}
        />
      ) : null}
    </Section>
  )
}
