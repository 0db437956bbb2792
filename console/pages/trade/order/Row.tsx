import type { ReactNode } from 'react'
import { Amount } from '../../../ui/Amount.tsx'
import { ChainHash } from '../../../ui/ChainHash.tsx'
import { bytesText, clockText, dayText, timeText } from '../../../ui/format.ts'
import { Hash } from '../../../ui/Hash.tsx'
import { State } from '../../../ui/State.tsx'
import styles from './Timeline.module.css'
import type { TimelineRow } from './Timeline.tsx'

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
  if (row.message) return <Message message={row.message} />
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
      {rejection ? <span className="muted small"> delivery {rejection.delivery}</span> : null}
      {rejection?.reason ? <div className={styles.body}>{rejection.reason}</div> : null}
    </>
  )
}

const ARBITERS = { rules: 'by rules', model: 'by a model', human: 'by a person', fallback: 'by rules' }

function Verdict({ verdict }: { verdict: NonNullable<TimelineRow['verdict']> }) {
  return (
    <>
      <strong>Verdict for the {verdict.winner}</strong>{' '}
      <span className="muted small">
        {ARBITERS[verdict.by]}, <Amount value={verdict.refund} /> back to the buyer
      </span>
      <div className={styles.body}>{verdict.grounds}</div>
    </>
  )
}

const DECISIONS: Readonly<Record<string, (who: string) => string>> = {
  'dispute.opened': (who) => `${who} opened a dispute`,
  'dispute.settled': () => 'The parties ended the dispute themselves',
  'verdict.resolved': () => 'The money was distributed as the verdict says',
  'appeal.opened': (who) => `${who} appealed the verdict: a person decides again`,
  'appeal.lapsed': (who) => `${who} did not pay for the appeal in time`,
}

function Decision({ event, buyer }: { event: NonNullable<TimelineRow['event']>; buyer: string }) {
  const { appellant_urn, actor_urn, opener_urn } = event.details
  const who = appellant_urn ?? actor_urn ?? opener_urn
  const text = DECISIONS[event.event_type]?.(who === buyer ? 'The buyer' : 'The seller')
  return <>{text ?? event.event_type}</>
}

function Message({ message }: { message: NonNullable<TimelineRow['message']> }) {
  return (
    <>
      <span className="muted small">
        the {message.by}, {message.kind.replaceAll('_', ' ')}
      </span>
      {message.sealed ? (
        <div className={styles.body}>sealed, {bytesText(message.sealed.size_bytes)}: only its parties can open it</div>
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
      {delivery.filename ?? 'A file'}, {bytesText(delivery.size_bytes)}, SHA-256 <Hash value={delivery.sha256} />
    </>
  )
}

function Chain({ chain }: { chain: NonNullable<TimelineRow['chain']> }) {
  const depth = chain.confirmations === null ? '' : `, ${chain.confirmations} deep`
  return (
    <span className="small">
      <span className={chain.is_reorganised_away ? styles.gone : undefined}>
        {chain.what.replaceAll('_', ' ')} <ChainHash kind="tx" value={chain.tx_hash} label="Copy the transaction" />{' '}
        block {chain.block_number}
        {depth}
      </span>
      {chain.is_reorganised_away ? ' undone by a reorganisation of the chain' : ''}
    </span>
  )
}

function Posting({ ledger }: { ledger: NonNullable<TimelineRow['ledger']> }) {
  return (
    <details className="small">
      <summary>
        booked: {ledger.what.replaceAll('_', ' ')} <span className="muted">({ledger.legs.length} accounts)</span>
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
          webhook: {status.replaceAll('_', ' ')}, {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        </div>
      ))}
    </div>
  )
}
