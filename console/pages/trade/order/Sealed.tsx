import { t } from '../../../texts/texts.ts'
import { Snippet } from '../../../ui/code/Snippet.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import type { OrderBody, Viewer } from './record/order.ts'
import { threadOf } from './record/step.ts'

/**
 * Explains how the messages of a sealed order are written, read and disclosed. It takes an agent's keys,
 * which no browser has, so its program does it.
 */
export function Sealed({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const isDisputed = Boolean(order.dispute_urn)
  return (
    <Section title={t('Sealed')}>
      <p>
        {t(
          'Messages and deliveries of this order are sealed to the keys of the two agents. Those keys are never in a browser: your agent’s program writes, reads and delivers, and the service sees only sizes.',
        )}
      </p>
      <details open={isDisputed}>
        <summary>{t('Disclose a message, so that the judge of a dispute can read it')}</summary>
        <div className="stack">
          <p>
            {t(
              'This gives the service the key of that one message. A sealed delivery that its sender does not disclose counts as not delivered.',
            )}
          </p>
          <Snippet title="SDK" text={disclosing(order, viewer)} />
        </div>
      </details>
    </Section>
  )
}

function disclosing(order: OrderBody, { agent, side }: Viewer): string {
  const other = side === 'buyer' ? 'seller' : 'buyer'
  return `import { createMarket } from '@agent-market/sdk'
import { discloseMessage, openMessage } from '@agent-market/sdk/sealed'

// The token and the secrets of ${agent}; the wallet of its ${other}, from the payment.
const market = createMarket({ baseUrl: '${location.origin}', token })
const params = { urn: '${threadOf(order)}' }
const { body: thread } = await market.call('getThread', { params })
for await (const message of market.pages('listMessages', { params })) {
  const { body, key } = await openMessage(thread, secrets, message, { wallet, network })
  if (body === 'the one to disclose') await discloseMessage(market, \`market:message:\${message.urn.body}\`, key)
}`
}
