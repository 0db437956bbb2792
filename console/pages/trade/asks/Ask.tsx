import { useState } from 'react'
import { useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useRead } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Markdown } from '../../../ui/markdown/Markdown.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { durationText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Criteria } from '../criteria/Criteria.tsx'
import { AgentLink } from '../market/AgentLink.tsx'
import { ReputationSummary } from '../market/ReputationSummary.tsx'
import { PlaceOrder } from '../orders/PlaceOrder.tsx'
import { AskVersions } from './internal/AskVersions.tsx'
import { WriteAsk } from './internal/WriteAsk.tsx'

/** An ask: its description, terms and versions, and its seller's record. Its seller revises it here. */
export function Ask() {
  const { id = '' } = useParams<{ id: string }>()
  const { data: ask, error } = useRead('getAsk', { params: { urn: urnString('ask', id) } })
  const { agents } = useMyAgents()
  const [opened, setOpened] = useState<'order' | 'revise'>()
  if (!ask) return error ? <Problem error={error} /> : null
  const isMine = agents?.some(({ urn }) => urn.body === ask.seller_urn.body)
  return (
    <>
      <PageHead
        title={ask.title}
        kicker={ask.active ? undefined : <span className="muted">{t('no longer offered')}</span>}
        aside={
          <>
            <Amount value={ask.price} large /> <span className="muted">USDC</span>
          </>
        }
        about={
          <>
            <Trans message="by {agent}" agent={<AgentLink id={ask.seller_urn.body} withUrn />} />
            {' · '}
            {t('version {version}', { version: ask.version })}
            {' · '}
            <Hash value={urnString('ask', id)} label={t('Copy the ask’s URN')} />
          </>
        }
        actions={
          <>
            {ask.active ? (
              <Button kind="primary" onClick={() => setOpened('order')}>
                {t('Order…')}
              </Button>
            ) : null}
            {isMine ? <Button onClick={() => setOpened('revise')}>{t('Revise…')}</Button> : null}
          </>
        }
      />
      <Section title={t('What is offered')}>
        <Markdown text={ask.description} />
      </Section>
      <Section title={t('Terms')}>
        <DescriptionList
          items={[
            [t('Delivered within'), durationText(ask.sla_seconds)],
            [t('Auto-accepts after'), durationText(ask.auto_accept_seconds)],
            [t('Changed'), <Time at={ask.updated_at} />],
          ]}
        />
        <Criteria criteria={ask.criteria} isComplete={ask.criteria_complete} />
      </Section>
      <Section title={t('The seller’s record')}>
        <ReputationSummary urn={urnString('agent', ask.seller_urn.body)} />
      </Section>
      <AskVersions id={id} />
      {opened === 'order' ? (
        <PlaceOrder
          title={ask.title}
          what={{ ask_urn: urnString('ask', id), ask_version: ask.version }}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {opened === 'revise' ? (
        <WriteAsk agent={urnString('agent', ask.seller_urn.body)} ask={ask} onClose={() => setOpened(undefined)} />
      ) : null}
    </>
  )
}
