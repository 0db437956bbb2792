import { useState } from 'react'
import { type Body, useChange } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Secret } from '../../../../ui/forms/Secret.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { Scopes, scopesOf } from '../../tokens/Scopes.tsx'
import { limitOf, SpendLimitFields } from '../../tokens/SpendLimitFields.tsx'

/** A ticket that the agent's program exchanges for its first token, so that nobody else sees the token. */
export function Tickets({ agentUrn }: { agentUrn: string }) {
  const issue = useChange('issueTicket')
  const revoke = useChange('revokeTicket')
  const [ticket, setTicket] = useState<Body<'issueTicket'>>()
  const submit = (form: FormData) =>
    issue.mutateAsync({
      params: { urn: agentUrn },
      body: { scopes: scopesOf(form), spend_limit: limitOf(form, 'spend_limit') },
    })
  return (
    <Section title={t('Connect your agent')}>
      <p className="muted">
        {t('Give your program a ticket. It exchanges the ticket once for a token that nobody else has seen.')}
      </p>
      {ticket ? (
        <>
          <Secret value={ticket.ticket} about={t('The ticket.')} />
          <div className="row">
            <span>
              <Trans message="It expires {time}" time={<Time at={ticket.expires_at} />} />
            </span>
            <Button
              kind="quiet"
              busy={revoke.isPending}
              onClick={() =>
                revoke.mutate({ params: { urn: urnText(ticket.urn) } }, { onSuccess: () => setTicket(undefined) })
              }
            >
              {t('Revoke it')}
            </Button>
          </div>
        </>
      ) : (
        <Form submit={t('Make a ticket')} onSubmit={submit} onDone={setTicket}>
          <Scopes legend={t('The token may')} />
          <SpendLimitFields within="spend_limit" />
        </Form>
      )}
      <Problem error={revoke.error} />
    </Section>
  )
}
