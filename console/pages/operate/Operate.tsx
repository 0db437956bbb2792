import { Link } from 'wouter'
import { type Body, useRead } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { OperatorOnly } from '../../session/OperatorOnly.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { HealthBadge } from './HealthBadge.tsx'
import { MarketTotals } from './Totals.tsx'

const POLL_MS = 5_000

/** The state of the service: its processes, how far each is behind, and what is stopped. */
export function Operate() {
  return (
    <OperatorOnly>
      <Status />
    </OperatorOnly>
  )
}

function Status() {
  const { data, error } = useRead('getReadiness', {}, { pollMs: POLL_MS })
  return (
    <>
      <PageHead
        title="Status"
        kicker={data ? <HealthBadge isAlive={data.status === 'ready'} word={data.status} /> : null}
        about="Read again every 5 seconds."
      />
      <Problem error={error} />
      <MarketTotals />
      {data ? <Processes ready={data} /> : null}
      <BooksNow />
      <Leaving />
      <Queues />
    </>
  )
}

function Processes({ ready }: { ready: Body<'getReadiness'> }) {
  const { node, facilitator, worker, chain_index: index, ailing } = ready
  const follows = ailing.every(({ part }) => part !== 'chain_index')
  return (
    <Section title="Processes">
      {ailing.map(({ part, detail }) => (
        <p key={part}>{detail}</p>
      ))}
      <DescriptionList
        items={[
          ['Chain node', <HealthBadge key="node" isAlive={node.alive} />],
          ['Facilitator', <HealthBadge key="facilitator" isAlive={facilitator.alive} at={facilitator.beat_at} />],
          ['Worker', <HealthBadge key="worker" isAlive={worker.alive} at={worker.beat_at} />],
          [
            'Chain index',
            index ? (
              <HealthBadge
                key="index"
                isAlive={follows}
                word={`at block ${index.block_number}`}
                at={index.block_time}
              />
            ) : (
              <HealthBadge key="index" isAlive={false} word="has no block" />
            ),
          ],
        ]}
      />
    </Section>
  )
}

function BooksNow() {
  const { data, error } = useRead('getReconciliation', {}, { pollMs: POLL_MS })
  const last = data?.reconciliation
  return (
    <Section title="Books" actions={<Link href={pathTo('books')}>All comparisons</Link>}>
      <Problem error={error} />
      {last ? (
        <DescriptionList
          items={[
            [
              'Ledger and chain',
              <HealthBadge key="ok" isAlive={last.is_ok} word={last.is_ok ? 'equal' : 'they differ'} />,
            ],
            ['Blocks behind', last.lag.blocks],
            ['Compared', `${last.age_seconds} s ago`],
            ['Findings', last.findings.map(({ code, count }) => `${code} ${count}`).join(', ') || 'none'],
          ]}
        />
      ) : (
        <p className="muted">The ledger has not been compared with the chain yet.</p>
      )}
    </Section>
  )
}

function Leaving() {
  const books = useRead('getReconciliation', {}, { pollMs: POLL_MS })
  const wallet = useRead('readHotWallet', {}, { pollMs: POLL_MS })
  const stopped = books.data?.reconciliation?.stopped
  const seen = wallet.data?.observed
  return (
    <Section title="Outgoing payments" actions={<Link href={pathTo('payouts')}>Payouts and stops</Link>}>
      <Problem error={wallet.error} />
      <DescriptionList
        items={[
          ['Payouts out of custody', <Stopped key="hot" isStopped={stopped?.hot_wallet} />],
          ['Calls of the contract', <Stopped key="escrow" isStopped={stopped?.escrow} />],
          ['Hot wallet', seen ? <Amount key="balance" value={seen.balance} /> : 'not known yet'],
          ['Of that, owed', seen ? <Amount key="due" value={seen.due} /> : undefined],
        ]}
      />
    </Section>
  )
}

function Stopped({ isStopped }: { isStopped: boolean | undefined }) {
  const word = isStopped ? 'stopped' : isStopped === false ? 'running' : 'not known'
  return <HealthBadge isAlive={isStopped === false} word={word} />
}

function Queues() {
  const { data, error } = useRead('getOperatorStatus', {}, { pollMs: POLL_MS })
  return (
    <Section title="Queues">
      <Problem error={error} />
      {data ? (
        <DescriptionList
          items={[
            ['Intents of the facilitator', data.queues.intents],
            ['Payouts to be sent', data.queues.payouts],
            ['Deliveries of webhooks', data.queues.webhook_deliveries],
            ['Age of the oldest delivery', `${Math.round(data.webhook_lag_seconds)} s`],
            [
              'Chain events before this database',
              <HealthBadge
                key="fence"
                isAlive={data.is_fence_open}
                word={data.is_fence_open ? 'known' : 'not known yet'}
              />,
            ],
          ]}
        />
      ) : null}
    </Section>
  )
}
