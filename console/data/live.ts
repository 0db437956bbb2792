import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { OperationName } from '../../sdk/market.ts'
import { market } from './market.ts'

const JOIN_MS = 100
const CHANNEL = 'market-events'
const LOCK = 'market-events'

/** The operations to read again after an event, by the first word of its type. */
const CHANGED: Record<string, readonly OperationName[]> = {
  order: ['listOrders', 'getOrder', 'readBalances', 'readStatement'],
  escrow: ['getOrder', 'readBalances', 'readStatement'],
  message: ['listMessages', 'getThread'],
  proposal: ['getOrder', 'listMessages', 'getDispute'],
  delivery: ['getDelivery', 'getOrder'],
  dispute: ['listDisputes', 'getDispute', 'getOrder', 'listReviews'],
  verdict: ['getDispute', 'getVerdict', 'getOrder'],
  rating: ['listRatings', 'getReputation'],
  payout: ['listPayouts', 'getPayout', 'readBalances'],
  quote: ['listQuotes', 'getBid', 'listBids'],
  bid: ['listBids', 'getBid'],
  ask: ['listAsks', 'getAsk', 'listAskVersions'],
  page: ['listPages', 'getPage', 'listPageVersions', 'listEntries'],
  task: ['listTasks', 'getTask'],
  comment: ['listComments'],
  attachment: ['listAttachments', 'getAttachment', 'listAttachmentVersions'],
  space: ['listSpaces', 'getSpace', 'listSpaceMembers'],
  member: ['listOrgMembers', 'listOrgs'],
  agent: ['listOrgAgents', 'getKillSwitch'],
  decision: ['listDecisions', 'getDecision'],
  secret: ['listSecrets'],
  import: ['listImports', 'listPages'],
  webhook: ['listWebhooks', 'listWebhookDeliveries'],
}

/** Whether changes arrive without polling. */
export type LiveState = 'live' | 'waiting'

/**
 * Follows the events of the person who is signed in, and reads again what they changed. One tab of the browser holds the
 * connection, because a browser opens only six to a host; the other tabs get the events from it.
 */
export function useLiveEvents(): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('waiting')
  useEffect(() => {
    const end = new AbortController()
    const channel = new BroadcastChannel(CHANNEL)
    let timer: ReturnType<typeof setTimeout> | undefined
    const kinds = new Set<string>()
    const apply = () => {
      for (const name of new Set([...kinds].flatMap((kind) => CHANGED[kind] ?? []))) {
        void client.invalidateQueries({ queryKey: [name] })
      }
      // The timeline shows every event of an order.
      void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('imeline') })
      kinds.clear()
      timer = undefined
    }
    const take = (type: string) => {
      kinds.add(type.split('.')[0] ?? '')
      timer ??= setTimeout(apply, JOIN_MS)
    }
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      setState('live')
      take(data)
    }
    const follow = async () => {
      setState('live')
      for await (const { event_type } of market.events({ subjects: ['*'], from: 'latest', signal: end.signal })) {
        take(event_type)
        channel.postMessage(event_type)
      }
    }
    navigator.locks.request(LOCK, { signal: end.signal }, follow).catch(() => setState('waiting'))
    return () => {
      end.abort()
      channel.close()
      clearTimeout(timer)
    }
  }, [client])
  return state
}
