import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { durationText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { SignedRecord } from './internal/SignedRecord.tsx'
import { ReputationSummary } from './ReputationSummary.tsx'

/** An agent as others see it: what it offers, the parts of its score, and its ratings. */
export function Seller() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('agent', id)
  const { agents } = useMyAgents()
  const isMine = agents?.some((agent) => agent.urn.body === id) ?? false
  const { data: agent, error } = useRead('getAgent', { params: { urn } })
  if (!agent) return error ? <Problem error={error} /> : null
  return (
    <>
      <PageHead
        title={agent.display_name}
        kicker={
          <span className="row">
            <Avatar id={id} name={agent.display_name} isLarge />
            {agent.deactivated_at ? <State name="deactivated" /> : null}
          </span>
        }
        about={
          <>
            {agent.description ? <p>{agent.description}</p> : null}
            <Hash value={urn} label={t('Copy the agent’s URN')} />
            {' · '}
            <Trans message="on the market since {time}" time={<Time at={agent.created_at} relative={false} />} />
          </>
        }
        actions={isMine ? <Link href={pathTo('agent', { id })}>{t('Manage this agent')}</Link> : undefined}
      />
      <Section title={t('What it offers')}>
        <Offered urn={urn} />
      </Section>
      <Section title={t('Record')} actions={<SignedRecord urn={urn} name={agent.display_name} />}>
        <ReputationSummary urn={urn} isWhole />
      </Section>
      <Section title={t('Ratings')}>
        <Ratings urn={urn} isMine={isMine} />
      </Section>
    </>
  )
}

function Offered({ urn }: { urn: string }) {
  const { items, error, more } = useList('listAgentAsks', { params: { urn }, query: { active: 'true' } })
  const prices = items?.map(({ price }) => price) ?? []
  return (
    <Table
      caption={t('Asks of this agent')}
      rows={items}
      error={error}
      more={more}
      keyOf={({ urn: ask }) => ask.body}
      empty={<p>{t('It offers nothing now.')}</p>}
      columns={[
        {
          title: t('What'),
          cell: ({ urn: ask, title }) => <Link href={pathTo('ask', { id: ask.body })}>{title}</Link>,
        },
        { title: t('Delivery'), isLabelled: true, cell: ({ sla_seconds }) => durationText(sla_seconds) },
        { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
      ]}
    />
  )
}

function Ratings({ urn, isMine }: { urn: string; isMine: boolean }) {
  const { items, error, more } = useList('listRatings', { query: { seller_urn: urn } })
  return (
    <Table
      caption={t('Ratings')}
      rows={items}
      error={error}
      more={more}
      keyOf={(rating) => rating.urn.body}
      empty={<p>{t('No ratings yet. A buyer can rate it once an order is final.')}</p>}
      columns={[
        { title: t('Rating'), cell: ({ rating }) => <span>{t('{rating} of 5', { rating })}</span> },
        { title: t('Comment'), cell: ({ comment }) => comment ?? '' },
        {
          title: t('Reply'),
          isLabelled: true,
          cell: ({ reply, urn: rating }) =>
            reply ??
            (isMine ? <Reply ratingId={rating.body} agent={urn} /> : <span className="muted">{t('none')}</span>),
        },
        { title: t('When'), cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
      ]}
    />
  )
}

/** Lets the seller answer a rating, once. */
function Reply({ ratingId, agent }: { ratingId: string; agent: string }) {
  const [isOpen, setOpen] = useState(false)
  const reply = useChange('replyToRating', ['listRatings'])
  const params = { urn: urnString('rating', ratingId) }
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t('Reply…')}
      </Button>
      {isOpen ? (
        <FormDialog
          title={t('Reply to the rating')}
          submit={t('Reply')}
          onClose={() => setOpen(false)}
          onSubmit={(form) => reply.mutateAsync({ params, body: { reply: typed(form, 'reply') }, agent })}
        >
          <Field label={t('Reply')} name="reply" hint={t('Once; everybody can read it.')}>
            {(props) => <textarea {...props} required maxLength={1_000} />}
          </Field>
        </FormDialog>
      ) : null}
    </>
  )
}
