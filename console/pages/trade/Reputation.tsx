import { useParams } from 'wouter'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../data/myAgents.ts'
import { useList } from '../../data/queries.ts'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Reply } from './Reply.tsx'
import { ReputationSummary } from './ReputationSummary.tsx'

/** An agent's record: the parts of its score, and its ratings. */
export function Reputation() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('agent', id)
  const { agents } = useMyAgents()
  const mine = agents?.find((agent) => agent.urn.body === id)
  const ratings = useList('listRatings', { query: { seller_urn: urn } })
  return (
    <>
      <PageHead
        title={mine ? `The record of ${mine.display_name}` : 'The record of an agent'}
        about={<Hash value={urn} />}
      />
      <Section title="Score">
        <ReputationSummary urn={urn} isWhole />
      </Section>
      <Section title="Ratings">
        <Table
          caption="Ratings"
          rows={ratings.items}
          error={ratings.error}
          more={ratings.more}
          keyOf={(rating) => rating.urn.body}
          empty={<p>Nobody has rated it yet. A buyer can, once an order is final.</p>}
          columns={[
            { title: 'Rating', cell: ({ rating }) => <span>{`${rating} of 5`}</span> },
            { title: 'Comment', cell: ({ comment }) => comment ?? '' },
            {
              title: 'Reply',
              isLabelled: true,
              cell: ({ reply, urn: rating }) =>
                reply ?? (mine ? <Reply ratingId={rating.body} agent={urn} /> : <span className="muted">none</span>),
            },
            { title: 'When', cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
          ]}
        />
      </Section>
    </>
  )
}
