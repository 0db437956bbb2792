import { Link } from 'wouter'
import { type Body, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { HealthBadge } from '../health/HealthBadge.tsx'
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
        title={t('Status')}
        kicker={data ? <HealthBadge isAlive={data.status === 'ready'} word={word(data.status)} /> : null}
        about={t('Read again every 5 seconds.')}
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
    <Section title={t('Processes')}>
      {ailing.map(({ part, detail }) => (
        <p key={part}>{detail}</p>
      ))}
      <DescriptionList
        items={[
          [t('Chain node'), <HealthBadge key="node" isAlive={node.alive} />],
          [t('Facilitator'), <HealthBadge key="facilitator" isAlive={facilitator.alive} at={facilitator.beat_at} />],
          [t('Worker'), <HealthBadge key="worker" isAlive={worker.alive} at={worker.beat_at} />],
          [
            t('Chain index'),
            index ? (
              <HealthBadge
                key="index"
                isAlive={follows}
                word={t('at block {blockNumber}', { blockNumber: index.block_number })}
                at={index.block_time}
              />
            ) : (
              <HealthBadge key="index" isAlive={false} word={t('has no block')} />
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
    <Section title={t('Books')} actions={<Link href={pathTo('books')}>{t('All comparisons')}</Link>}>
      <Problem error={error} />
      {last ? (
        <DescriptionList
          items={[
            [
              t('Ledger and chain'),
              <HealthBadge key="ok" isAlive={last.is_ok} word={last.is_ok ? t('equal') : t('they differ')} />,
            ],
            [t('Blocks behind'), last.lag.blocks],
            [t('Compared'), t('{seconds} s ago', { seconds: last.age_seconds })],
            [t('Findings'), last.findings.map(({ code, count }) => `${code} ${count}`).join(', ') || t('none')],
          ]}
        />
      ) : (
        <p className="muted">{t('The ledger has not been compared with the chain yet.')}</p>
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
    <Section title={t('Outgoing payments')} actions={<Link href={pathTo('payouts')}>{t('Payouts and stops')}</Link>}>
      <Problem error={wallet.error} />
      <DescriptionList
        items={[
          [t('Payouts out of custody'), <Stopped key="hot" isStopped={stopped?.hot_wallet} />],
          [t('Calls of the contract'), <Stopped key="escrow" isStopped={stopped?.escrow} />],
          [t('Hot wallet'), seen ? <Amount key="balance" value={seen.balance} /> : t('not known yet')],
          [t('Of that, owed'), seen ? <Amount key="due" value={seen.due} /> : undefined],
        ]}
      />
    </Section>
  )
}

function Stopped({ isStopped }: { isStopped: boolean | undefined }) {
  const state = isStopped ? word('stopped') : isStopped === false ? word('running') : t('not known')
  return <HealthBadge isAlive={isStopped === false} word={state} />
}

function Queues() {
  const { data, error } = useRead('getOperatorStatus', {}, { pollMs: POLL_MS })
  return (
    <Section title={t('Queues')}>
      <Problem error={error} />
      {data ? (
        <DescriptionList
          items={[
            [t('Intents of the facilitator'), data.queues.intents],
            [t('Payouts to be sent'), data.queues.payouts],
            [t('Deliveries of webhooks'), data.queues.webhook_deliveries],
            [t('Age of the oldest delivery'), t('{seconds} s', { seconds: Math.round(data.webhook_lag_seconds) })],
            [
              t('Chain events before this database'),
              <HealthBadge
                key="fence"
                isAlive={data.is_fence_open}
                word={data.is_fence_open ? t('known') : t('not known yet')}
              />,
            ],
          ]}
        />
      ) : null}
    </Section>
  )
}
