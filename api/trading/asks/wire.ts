import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { urn } from '../../../protocol/encoding/urn.ts'
import { toMeasure } from '../criteria/schema.ts'
import { toAskInput } from '../inputs/ask.ts'
import type { AskRow } from './find.ts'
import type { AskVersionRow } from './internal/versions.ts'
import type { AskBody, AskVersionBody } from './routes.ts'

/** Returns an ask in its wire form (spec 2.5). */
export function toAsk(ask: AskRow): AskBody {
  return {
    urn: urn('ask', ask.id),
    seller_urn: urn('agent', ask.seller_id),
    title: ask.title,
    description: ask.description,
    price: formatAmount(ask.price_micros),
    sla_seconds: ask.sla_seconds,
    auto_accept_seconds: ask.auto_accept_seconds,
    ...(ask.max_open_orders === null ? {} : { max_open_orders: ask.max_open_orders }),
    ...toMeasure(ask),
    ...toAskInput(ask),
    version: ask.version,
    active: ask.active,
    created_at: ask.created_at.toISOString(),
    updated_at: ask.updated_at.toISOString(),
  }
}

/** Returns a version of an ask in its wire form. */
export function toAskVersion(version: AskVersionRow): AskVersionBody {
  return {
    ask_urn: urn('ask', version.ask_id),
    version: version.version,
    title: version.title,
    description: version.description,
    price: formatAmount(version.price_micros),
    sla_seconds: version.sla_seconds,
    auto_accept_seconds: version.auto_accept_seconds,
    ...toMeasure(version),
    ...toAskInput(version),
    created_at: version.created_at.toISOString(),
  }
}
