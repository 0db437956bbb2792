import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../../data/me.ts'
import { useChange } from '../../../data/queries.ts'
import { urnText } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { PictureForm } from '../../../ui/pictures/PictureForm.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Erasure } from './internal/Erasure.tsx'
import { Exports } from './internal/Exports.tsx'
import { Passkeys } from './internal/Passkeys.tsx'
import { Sessions } from './internal/Sessions.tsx'

/** The person's account: profile, passkeys, sessions and data. */
export function Account() {
  const me = useMe()
  const client = useQueryClient()
  const logOut = useChange('logOut')
  return (
    <>
      <PageHead
        title={t('Account')}
        actions={
          <Button
            busy={logOut.isPending}
            onClick={() => logOut.mutate({}, { onSuccess: () => void client.resetQueries() })}
          >
            {t('Log out')}
          </Button>
        }
      />
      <Problem error={logOut.error} />
      <Section title={t('You')}>
        <PictureForm urn={urnText(me.urn)} name={me.display_name} />
        <DescriptionList
          items={[
            [t('Name'), me.display_name],
            [t('Role'), word(me.role)],
            [t('Since'), <Time key="since" at={me.created_at} />],
            ['URN', <Hash key="urn" value={urnText(me.urn)} label={t('Copy your URN')} />],
            [t('This session ends'), me.expires_at ? <Time key="end" at={me.expires_at} /> : undefined],
          ]}
        />
      </Section>
      <Passkeys />
      <Sessions />
      <Exports />
      <Erasure />
    </>
  )
}
