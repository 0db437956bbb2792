import { useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Secret } from '../../../../ui/forms/Secret.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/**
 * Makes the link with which somebody makes their first passkey. Its secret is in the fragment, which no log
 * records.
 */
export function EnrolDialog({ urn, name, onClose }: { urn: string; name: string; onClose: () => void }) {
  const issue = useChange('issueEnrolment')
  return (
    <Dialog title={t('Enrol {name}', { name })} onClose={onClose}>
      {issue.data ? (
        <>
          <Secret
            value={`${location.origin}/console${pathTo('enrol')}#${issue.data.enrolment}`}
            about={t('Give {name} this link over a private channel. The first person to open it gets the account.', {
              name,
            })}
          />
          <p>
            <Trans message="It expires {time}." time={<Time at={issue.data.expires_at} />} />
          </p>
        </>
      ) : (
        <>
          <p>{t('With the link they make their first passkey. It replaces an earlier link.')}</p>
          <Problem error={issue.error} />
          <div>
            <Button kind="primary" busy={issue.isPending} onClick={() => issue.mutate({ params: { urn } })}>
              {t('Make the link')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
