import { useMutation, useQueryClient } from '@tanstack/react-query'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { acceptProposal } from '../../../../../sdk/proposals.ts'
import { useAll } from '../../../../data/all.ts'
import { marketAs } from '../../../../data/market.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Data } from '../../../../ui/values/Data.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import type { OrderBody, Viewer } from '../record/order.ts'
import { STEP, threadOf } from '../record/step.ts'
import { PROPOSALS, type ProposalKind, refundOf, standing } from './internal/proposals.ts'
import { useOutcome } from './useOutcome.tsx'

const READS = [...STEP, 'listMessages', 'getDispute']

/** The open proposals; the person accepts those of the other side. Renders nothing without any. */
export function Proposals({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const messages = useAll('listMessages', { params: { urn: threadOf(order) }, agent: viewer.agent }, { pollMs: 10_000 })
  const proposals = standing(order, messages.data ?? [])
  if (proposals.length === 0) return null
  return (
    <Section title={t('Proposals')}>
      {proposals.map((proposal) => (
        <Proposal key={proposal.urn.body} order={order} proposal={proposal} viewer={viewer} />
      ))}
    </Section>
  )
}

interface ProposalProps {
  order: OrderBody
  proposal: PageItem<'listMessages'>
  viewer: Viewer
}

function Proposal({ order, proposal, viewer }: ProposalProps) {
  const client = useQueryClient()
  const outcome = useOutcome(viewer)
  // The digest covers what this page shows, so that nothing else can be accepted.
  const refund = refundOf(proposal)
  const take = async () => {
    await acceptProposal(marketAs(viewer.agent), proposal)
    await Promise.all(READS.map((name) => client.invalidateQueries({ queryKey: [name] })))
  }
  const accept = useMutation({
    mutationFn: () =>
      refund === undefined ? take() : outcome.decide(urnString('order', order.urn.body), refund, take),
  })
  const isOwn = viewer.agent.endsWith(proposal.sender_urn.body)
  return (
    <div className="stack">
      <h3>
        {t(PROPOSALS[proposal.kind as ProposalKind].title)} · {isOwn ? t('yours') : t('of the other side')} ·{' '}
        <Time at={proposal.created_at} />
      </h3>
      {proposal.body ? <p>{proposal.body}</p> : null}
      {proposal.payload ? <Data value={proposal.payload} /> : null}
      {outcome.asking}
      <Problem error={accept.error} />
      {isOwn ? null : (
        <div>
          <Button busy={accept.isPending} onClick={() => accept.mutate()}>
            {t('Accept the proposal')}
          </Button>
        </div>
      )}
    </div>
  )
}
