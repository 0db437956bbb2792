import type { PageItem } from '../../../sdk/market.ts'
import type { Body } from '../../data/queries.ts'
import { type Message, msg, t } from '../../texts/texts.ts'
import { State } from '../../ui/values/State.tsx'

type Webhook = Body<'getWebhook'> | PageItem<'listOrgWebhooks'>

const REASONS: Record<NonNullable<Webhook['status_reason']>, Message> = {
  owner: msg('by its owner'),
  failing: msg('because every attempt failed: resume it when the receiver works again'),
  gone: msg('because the receiver answered 410'),
  operator: msg('by an operator, who alone can enable it again'),
  deactivated: msg('because its agent is deactivated'),
  no_access: msg('because whoever chose its URL no longer manages it: resume it, and you answer for it'),
}

/** The state of a webhook, and why it is in it. */
export function WebhookState({ webhook }: { webhook: Pick<Webhook, 'status' | 'status_reason'> }) {
  return (
    <>
      <State name={webhook.status} />
      {webhook.status_reason ? <span className="muted"> {t(REASONS[webhook.status_reason])}</span> : null}
    </>
  )
}
