import { createMarket } from '../../sdk/market.ts'
import { answering, startReceiver } from '../kit/api/platform/webhooks/receiver.ts'
import type { Load } from './load.ts'
import type { FaultMarket } from './market.ts'

/** Who was given an account's events, and which, in the order of their coming. */
export interface Witness {
  name: string
  accountId: string
  /** Whether the channel gives events in the order of the log. */
  isOrdered: boolean
  /** What the types of its events begin with: all, or those of orders. */
  prefix: '' | 'order.'
  eventIds: readonly string[]
}

/** Readers of events, from the beginning of the run to its end. */
export interface Witnesses {
  all: readonly Witness[]
  /** Why a reader gave up, where one did. */
  failures: readonly string[]
  stop: () => Promise<void>
}

/** Starts a stream for each trader, and a webhook for one. */
export async function startWitnesses(market: FaultMarket, { pairs }: Load): Promise<Witnesses> {
  const stopping = new AbortController()
  const failures: string[] = []
  const streams: Promise<void>[] = []
  const all: Witness[] = pairs.flatMap(({ buyer, seller }, pair) =>
    [buyer, seller].map(({ agentId, token }, side) => {
      const eventIds: string[] = []
      const name = `the stream of ${side ? 'seller' : 'buyer'} ${pair + 1}`
      const follow = async () => {
        const client = createMarket({ baseUrl: market.stack.baseUrl, token, fetch: inTurns(market.apiUrls) })
        const events = client.events({ from: 'earliest', signal: stopping.signal })
        for await (const { event_id } of events) eventIds.push(event_id)
      }
      streams.push(follow().catch((error: Error) => void failures.push(`${name} ended: ${error.message}`)))
      return { name, accountId: agentId, isOrdered: true, prefix: '', eventIds }
    }),
  )
  const receiver = await startReceiver(answering(204))
  const [first] = pairs
  if (!first) throw new Error('nobody trades')
  await first.buyer.human.call('createWebhook', { body: { url: receiver.url, event_types: ['order.*'] } })
  const webhook: Witness = {
    ...{ name: 'the webhook of buyer 1', accountId: first.buyer.agentId, isOrdered: false, prefix: 'order.' },
    get eventIds() {
      return receiver.requests.map(({ event }) => event.event_id)
    },
  }
  return {
    ...{ all: [...all, webhook], failures },
    stop: async () => {
      stopping.abort()
      await Promise.all(streams)
      await receiver.stop()
    },
  }
}

/** Connects to one API after the other. A stream that falls silent is the client's to replace. */
function inTurns(urls: readonly string[]): typeof fetch {
  let turn = 0
  return (input, request) => {
    const url = new URL(String(input))
    url.host = new URL(urls[turn++ % urls.length] ?? '').host
    return fetch(url, request)
  }
}
