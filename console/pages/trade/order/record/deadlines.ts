import type { PageItem } from '../../../../../sdk/market.ts'
import { type Message, msg } from '../../../../texts/texts.ts'

type Step = NonNullable<PageItem<'listOrders'>['next_deadline']>['what']

/** What is to happen next with an order, and until when. */
export const DEADLINES: Readonly<Record<Step, Message>> = {
  pay: msg('pay until {time}'),
  adopt: msg('becomes funded after {time}'),
  deliver: msg('deliver until {time}'),
  decide: msg('accept or reject until {time}'),
  redeliver: msg('deliver again until {time}'),
  dispute: msg('next step of the dispute by {time}'),
  expire: msg('the buyer can take the money back since {time}'),
}
