import { useChange } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Secret } from '../../ui/Secret.tsx'
import { Time } from '../../ui/Time.tsx'

/** Makes the link by which somebody makes their first passkey. Its secret is in the fragment, which no log sees. */
export function EnrolDialog({ urn, name, onClose }: { urn: string; name: string; onClose: () => void }) {
  const issue = useChange('issueEnrolment')
  return (
    <Dialog title={`Let ${name} in`} onClose={onClose}>
      {issue.data ? (
        <>
          <Secret
            value={`${location.origin}/console${pathTo('enrol')}#${issue.data.enrolment}`}
            about={`Give ${name} this link by a way that is theirs alone. Whoever opens it first gets in.`}
          />
          <p>
            It ends <Time at={issue.data.expires_at} />.
          </p>
        </>
      ) : (
        <>
          <p>A link is made by which they make their first passkey. It takes the place of an earlier one.</p>
          <Problem error={issue.error} />
          <div>
            <Button kind="primary" busy={issue.isPending} onClick={() => issue.mutate({ params: { urn } })}>
              Make the link
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
