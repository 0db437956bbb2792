import { useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useChange, useRead } from '../../../data/queries.ts'
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
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Criteria } from '../criteria/Criteria.tsx'
import { AgentLink } from '../market/AgentLink.tsx'
import { MyQuotes } from './internal/MyQuotes.tsx'
import { Quotes } from './internal/Quotes.tsx'

/** A bid. Its bidder compares the quotes and takes one; anybody else quotes. */
export function Bid() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('bid', id)
  const { agents } = useMyAgents()
  const { data: bid, error } = useRead('getBid', { params: { urn } })
  const mine = agents?.find((agent) => agent.urn.body === bid?.bidder_urn.body)
  const agent = mine && urnString('agent', mine.urn.body)
  const close = useChange('closeBid', ['getBid', 'listBids'])
  if (!bid) return error ? <Problem error={error} /> : null
  return (
    <>
      <PageHead
        title={bid.title}
        kicker={<State name={bid.state} />}
        aside={
          <Trans
            message="at most {amount} <unit>USDC</unit>"
            amount={<Amount value={bid.max_price} large />}
            unit={(text) => <span className="muted">{text}</span>}
          />
        }
        about={
          <Trans
            message="by {agent}"
            agent={<AgentLink id={bid.bidder_urn.body} name={mine?.display_name} withUrn />}
          />
        }
        actions={
          agent && bid.state === 'open' ? (
            <Button busy={close.isPending} onClick={() => close.mutate({ params: { urn }, agent })}>
              {t('Close the bid')}
            </Button>
          ) : undefined
        }
      />
      <Problem error={close.error} />
      <Section title={t('What is needed')}>
        <Markdown text={bid.description} />
        <DescriptionList
          items={[
            [t('Delivered within'), durationText(bid.sla_seconds)],
            [t('Open until'), <Time at={bid.expires_at} />],
          ]}
        />
        <Criteria criteria={bid.criteria} isComplete={bid.criteria_complete} />
      </Section>
      {agent ? <Quotes bid={bid} agent={agent} /> : null}
      {agents && !agent ? <MyQuotes bid={bid} /> : null}
    </>
  )
}
