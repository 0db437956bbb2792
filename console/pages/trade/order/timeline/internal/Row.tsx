import type { ReactNode } from 'react'
import type { Body } from '../../../../../data/queries.ts'
import { Trans } from '../../../../../texts/Trans.tsx'
import { type Message, msg, t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import { Amount } from '../../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../../ui/values/ChainHash.tsx'
import { bytesText, clockText, dayText, timeText } from '../../../../../ui/values/format.ts'
import { Hash } from '../../../../../ui/values/Hash.tsx'
import { State } from '../../../../../ui/values/State.tsx'
import styles from '../Timeline.module.css'

/** An entry of the timeline. */
export type TimelineRow = Body<'getOrderTimeline'>['rows'][number]

const GLYPHS: Record<string, string> = {
  state: '',
  message: '┃',
  delivery: '▤',
  decision: '⚖',
  chain: '◇',
  ledger: '▫',
  event: '·',
}

interface Props {
  row: TimelineRow
  /** The URN of the order's buyer. */
  buyer: string
  isCaused: boolean
  isNewDay: boolean
}

/** An entry of the timeline. Entries of the same act stand close together. */
export function Row({ row, buyer, isCaused, isNewDay }: Props) {
  return (
    <li className={isCaused ? `${styles.row} ${styles.caused}` : styles.row}>
      <time className={styles.time} dateTime={row.at} title={timeText(row.at)}>
        {isNewDay && !isCaused ? <span className={styles.day}>{dayText(row.at)}</span> : null}
        {clockText(row.at)}
      </time>
      <span aria-hidden="true" className={styles.glyph}>
        {GLYPHS[row.kind]}
      </span>
      <div>
        {factOf(row, buyer)}
        {row.webhooks?.length ? <Told webhooks={row.webhooks} /> : null}
      </div>
    </li>
  )
}

function factOf(row: TimelineRow, buyer: string): ReactNode {
  if (row.state) return <Reached state={row.state} rejection={row.rejection} />
  if (row.message) return <Posted message={row.message} />
  if (row.delivery) return <Delivery delivery={row.delivery} />
  if (row.chain) return <Chain chain={row.chain} />
  if (row.ledger) return <Posting ledger={row.ledger} />
  if (row.verdict) return <Verdict verdict={row.verdict} />
  if (row.kind === 'decision' && row.event) return <Decision event={row.event} buyer={buyer} />
  return <span className="muted small">{row.event?.event_type}</span>
}

function Reached({ state, rejection }: { state: string; rejection: TimelineRow['rejection'] }) {
  return (
    <>
      <State name={state} />
      {rejection ? (
        <span className="muted small"> {t('delivery {number}', { number: rejection.delivery })}</span>
      ) : null}
      {rejection?.reason ? <div className={styles.body}>{rejection.reason}</div> : null}
    </>
  )
}

const ARBITERS = {
  rules: msg('by rules'),
  model: msg('by a model'),
  human: msg('by a person'),
  fallback: msg('by rules'),
}

function Verdict({ verdict }: { verdict: NonNullable<TimelineRow['verdict']> }) {
  return (
    <>
      <strong>{verdict.winner === 'buyer' ? t('Verdict for the buyer') : t('Verdict for the seller')}</strong>{' '}
      <span className="muted small">
        <Trans
          message="{arbiter}, {amount} back to the buyer"
          arbiter={t(ARBITERS[verdict.by])}
          amount={<Amount value={verdict.refund} />}
        />
      </span>
      <div className={styles.body}>{verdict.grounds}</div>
    </>
  )
}

const DECISIONS: Readonly<Record<string, Message>> = {
  'dispute.opened': msg('{side, select, buyer {The buyer opened a dispute} other {The seller opened a dispute}}'),
  'dispute.settled': msg('The parties ended the dispute themselves'),
  'verdict.resolved': msg('The money was distributed as the verdict says'),
  'appeal.opened': msg(
    '{side, select, buyer {The buyer appealed the verdict: a person decides again} other {The seller appealed the verdict: a person decides again}}',
  ),
  'appeal.lapsed': msg(
    '{side, select, buyer {The buyer did not pay for the appeal in time} other {The seller did not pay for the appeal in time}}',
  ),
}

function Decision({ event, buyer }: { event: NonNullable<TimelineRow['event']>; buyer: string }) {
  const { appellant_urn, actor_urn, opener_urn } = event.details
  const who = appellant_urn ?? actor_urn ?? opener_urn
  const message = DECISIONS[event.event_type]
  return <>{message ? t(message, { side: who === buyer ? 'buyer' : 'seller' }) : event.event_type}</>
}

function Posted({ message }: { message: NonNullable<TimelineRow['message']> }) {
  return (
    <>
      <span className="muted small">
        {t('{side, select, buyer {the buyer} other {the seller}}, {kind}', {
          side: message.by,
          kind: word(message.kind),
        })}
      </span>
      {message.sealed ? (
        <div className={styles.body}>
          {t('sealed, {size}: only its parties can open it', { size: bytesText(message.sealed.size_bytes) })}
        </div>
      ) : message.body ? (
        <div className={styles.body}>
          {message.body}
          {(message.body_characters ?? 0) > message.body.length ? ' …' : ''}
        </div>
      ) : null}
    </>
  )
}

function Delivery({ delivery }: { delivery: NonNullable<TimelineRow['delivery']> }) {
  return (
    <>
      {delivery.filename ?? t('A file')}, {bytesText(delivery.size_bytes)}, SHA-256 <Hash value={delivery.sha256} />
    </>
  )
}

function Chain({ chain }: { chain: NonNullable<TimelineRow['chain']> }) {
  return (
    <span className="small">
      <span className={chain.is_reorganised_away ? styles.gone : undefined}>
        {word(chain.what)} <ChainHash kind="tx" value={chain.tx_hash} label={t('Copy the transaction')} />{' '}
        {chain.confirmations === null
          ? t('block {number}', { number: chain.block_number })
          : t('block {number}, {depth} deep', { number: chain.block_number, depth: chain.confirmations })}
      </span>
      {chain.is_reorganised_away ? ` ${t('undone by a reorganisation of the chain')}` : ''}
    </span>
  )
}

function Posting({ ledger }: { ledger: NonNullable<TimelineRow['ledger']> }) {
  return (
    <details className="small">
      <summary>
        <Trans
          message="booked: {what} <muted>({count, plural, one {# account} other {# accounts}})</muted>"
          what={word(ledger.what)}
          count={ledger.legs.length}
          muted={(text) => <span className="muted">{text}</span>}
        />
      </summary>
      <div className={styles.legs}>
        {ledger.legs.map(({ account, amount }) => (
          <div key={account} className="row spread">
            <span className="muted">{account}</span> <Amount value={amount} />
          </div>
        ))}
      </div>
    </details>
  )
}

function Told({ webhooks }: { webhooks: NonNullable<TimelineRow['webhooks']> }) {
  return (
    <div className="muted small">
      {webhooks.map(({ delivery_id, status, attempts }) => (
        <div key={delivery_id}>
          {t('webhook: {status}, {attempts, plural, one {# attempt} other {# attempts}}', {
            status: word(status),
            attempts,
          })}
        </div>
      ))}
    </div>
  )
}
