import { useState } from 'react'
import { useParams } from 'wouter'
import { type Body, useChange } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { EnrolDialog } from './internal/EnrolDialog.tsx'
import { PersonAccess } from './internal/PersonAccess.tsx'
import { PersonTrades } from './internal/PersonTrades.tsx'
import { PersonWebhooks } from './internal/PersonWebhooks.tsx'
import { roleText } from './internal/roleText.ts'

/**
 * What a person has in the market. It is read only on demand, because each reading is recorded and the person
 * sees it.
 */
export function Person() {
  const { id = '' } = useParams()
  const read = useChange('readPerson')
  const person = read.data
  const urn = urnOf('human', id)
  return (
    <OperatorOnly>
      <PageHead
        title={person?.display_name ?? t('Person')}
        kicker={person ? <State name={person.erased_at ? 'erased' : 'active'} /> : null}
        about={<Hash value={id} />}
      />
      {person ? (
        <PersonRead person={person} urn={urn} />
      ) : (
        <div className="stack">
          <p>{t('Reading what a person has is recorded, and the person sees it. It needs your passkey.')}</p>
          <div>
            <Button kind="primary" busy={read.isPending} onClick={() => read.mutate({ params: { urn } })}>
              {t('Read the record')}
            </Button>
          </div>
          <Problem error={read.error} />
        </div>
      )}
    </OperatorOnly>
  )
}

function PersonRead({ person, urn }: { person: Body<'readPerson'>; urn: string }) {
  const [isEnrolling, setEnrolling] = useState(false)
  const { agents, owned_orgs: orgs } = person.limits
  return (
    <>
      <Section
        title={t('Account')}
        actions={person.erased_at ? null : <Button onClick={() => setEnrolling(true)}>{t('Enrol…')}</Button>}
      >
        <DescriptionList
          items={[
            [t('Role'), roleText(person.role, person.is_reviewer)],
            [t('E-mail address'), person.has_confirmed_email ? t('confirmed') : t('not confirmed')],
            [t('Passkeys'), passkeys(person)],
            [t('Since'), <Time key="since" at={person.created_at} />],
            [t('Erased'), person.erased_at ? <Time key="erased" at={person.erased_at} /> : undefined],
            [t('Created by'), person.created_by ? <Hash key="creator" value={person.created_by.body} /> : undefined],
            [t('Active agents'), t('{used} of {most}', { used: agents.used, most: agents.most })],
            [t('Orgs they own'), t('{used} of {most}', { used: orgs.used, most: orgs.most })],
          ]}
        />
      </Section>
      <PersonTrades person={person} />
      <PersonAccess person={person} />
      <PersonWebhooks urn={urn} />
      {isEnrolling ? <EnrolDialog urn={urn} name={person.display_name} onClose={() => setEnrolling(false)} /> : null}
    </>
  )
}

function passkeys({ passkeys: good, flagged_passkeys: flagged }: Body<'readPerson'>): string {
  return flagged > 0 ? t('{good}, and {flagged} that may have been copied', { good, flagged }) : String(good)
}
