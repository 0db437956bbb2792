import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useList } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { dayText, relativeText, timeText } from '../../../../ui/values/format.ts'
import type { OrderBody } from '../record/order.ts'
import { Row, type TimelineRow } from './internal/Row.tsx'
import styles from './Timeline.module.css'

const KINDS = {
  state: msg('States'),
  message: msg('Messages'),
  delivery: msg('Deliveries'),
  decision: msg('Decisions'),
  chain: msg('Chain'),
  ledger: msg('Ledger'),
  event: msg('Events'),
} as const
type Kind = keyof typeof KINDS
const SHOWN_FIRST: Kind[] = ['state', 'message', 'delivery', 'decision', 'chain', 'ledger']

const AHEAD: Readonly<Record<string, Message>> = {
  pay: msg('to be paid until {time}'),
  adopt: msg('the contract makes the payment its hold after {time}'),
  deliver: msg('to be delivered until {time}'),
  decide: msg('auto-accepts on {time}'),
  redeliver: msg('to be delivered again until {time}'),
  dispute: msg('next step of the dispute by {time}'),
  expire: msg('the payer can reclaim the money from {time}'),
}

/** The timeline of an order, ordered by cause, with what is under way and the deadlines at its end. */
export function Timeline({ order }: { order: OrderBody }) {
  const urn = urnString('order', order.urn.body)
  const [kinds, setKinds] = useState<readonly Kind[]>(SHOWN_FIRST)
  const input = { params: { urn }, query: { kinds: kinds.join(','), limit: 100 } }
  const { items, latest, error, more } = useList('getOrderTimeline', input, {
    enabled: kinds.length > 0,
    pollMs: 5_000,
  })
  const toggle = (kind: Kind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind])
  const rows = (items ?? []) as unknown as TimelineRow[]
  return (
    <Section
      title={t('What happened')}
      actions={(Object.keys(KINDS) as Kind[]).map((kind) => (
        <button
          key={kind}
          type="button"
          className={styles.chip}
          aria-pressed={kinds.includes(kind)}
          onClick={() => toggle(kind)}
        >
          {t(KINDS[kind])}
        </button>
      ))}
    >
      <Problem error={error} />
      <ol className={`plain ${styles.rows}`}>
        {rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id; they are only ever added at the end.
            key={`${row.cause}-${row.kind}-${index}`}
            row={row}
            buyer={urnString('agent', order.buyer_urn.body)}
            isCaused={rows[index - 1]?.cause === row.cause}
            isNewDay={dayText(rows[index - 1]?.at) !== dayText(row.at)}
          />
        ))}
        {latest?.under_way.map(({ what, asked_at, tx_hashes }) => (
          <li key={what + asked_at} className={styles.ahead}>
            <span />
            <span aria-hidden="true" className={styles.glyph}>
              ◌
            </span>
            <span>
              {t('{what}: requested from the chain {when}', {
                what: word(what),
                when: relativeText(asked_at),
              })}{' '}
              {tx_hashes.map((hash) => (
                <ChainHash key={hash} kind="tx" value={hash} />
              ))}
            </span>
          </li>
        ))}
        {latest?.ahead.map(({ what, at }) => (
          <li key={what} className={styles.ahead}>
            <span />
            <span aria-hidden="true" className={styles.glyph}>
              ┄
            </span>
            <span>
              <Trans
                message={AHEAD[what] ?? msg('{what} until {time}')}
                what={word(what)}
                time={
                  <>
                    {timeText(at)} <span className="muted">({relativeText(at)})</span>
                  </>
                }
              />
            </span>
          </li>
        ))}
      </ol>
      {more ? (
        <div>
          <button type="button" onClick={more}>
            {t('Show what came after')}
          </button>
        </div>
      ) : null}
      {latest && !latest.is_complete ? (
        <p className="muted small">{t('The oldest events are no longer kept, so this timeline lacks them.')}</p>
      ) : null}
    </Section>
  )
}
