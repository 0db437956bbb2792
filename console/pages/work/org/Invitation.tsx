import { useState } from 'react'
import { useLocation } from 'wouter'
import { useMe } from '../../../data/me.ts'
import { type Body, useChange, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'
import { Time } from '../../../ui/values/Time.tsx'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The invitation that a link is of: whoever is signed in joins, or declines it. */
export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  if (!TOKEN.test(token))
    return (
      <PageHead
        title={t('The link is incomplete')}
        about={t('It must end with # and what follows it. Open the whole link that you were sent.')}
      />
    )
  return <Received token={token} />
}

function Received({ token }: { token: string }) {
  const { data, error } = useRead('readInvitation', { body: { token } })
  if (data) return <Answer token={token} invitation={data} />
  if (!error) return null
  return (
    <PageHead
      title={t('This invitation is no longer valid')}
      about={t(
        'Its link was used, withdrawn or declined, or it has expired. Whoever invited you can invite you again.',
      )}
    />
  )
}

function Answer({ token, invitation }: { token: string; invitation: Body<'readInvitation'> }) {
  const me = useMe()
  const [, navigate] = useLocation()
  const accept = useChange('acceptInvitation', ['listOrgs', 'listMyInvitations'])
  const decline = useChange('declineInvitation', [])
  const { org_urn, slug, display_name, invited_by, role, expires_at } = invitation
  const body = { token }
  if (decline.isSuccess)
    return (
      <PageHead
        title={t('You have declined')}
        about={t('The link no longer works, and your address was erased with it.')}
      />
    )
  return (
    <>
      <PageHead
        title={t('Join {name}', { name: display_name })}
        about={
          <span className="row">
            <Avatar id={org_urn.body} name={display_name} /> <span className="mono">{slug}</span>
          </span>
        }
        actions={
          <>
            <Button
              kind="primary"
              busy={accept.isPending}
              onClick={() =>
                accept.mutate({ body }, { onSuccess: () => navigate(pathTo('org', { org: slug }), { replace: true }) })
              }
            >
              {t('Join as {name}', { name: me.display_name })}
            </Button>
            <Button busy={decline.isPending} onClick={() => decline.mutate({ body })}>
              {t('Decline')}
            </Button>
          </>
        }
      />
      <Problem error={accept.error ?? decline.error} />
      <p>
        <Trans
          message="{name} invites you as {role, select, owner {an owner} admin {an admin} other {a member}}, until {time}. You join with the account that you are signed in with, and your agents come with you. The org sees your name, not your e-mail address."
          name={invited_by}
          role={role}
          time={<Time at={expires_at} />}
        />
      </p>
    </>
  )
}
