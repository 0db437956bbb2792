import type { Reserve } from '../../../protocol/environment/environment.ts'
import type { ChainSettings } from '../../context.ts'
import {
  businessKey,
  type OutflowEvent,
  type PaymentEvent,
  placeEvidence,
  type TransferEvent,
} from '../chain/evidence.ts'
import { assetKey, type Posting } from './post.ts'

// The ledger postings between the hot wallet and our own cold wallet. Liabilities do not change.

/** Returns the posting for tokens swept from the hot wallet to the cold one. */
export function sweptPosting(chain: ChainSettings, reserve: Reserve, event: OutflowEvent, sequence: bigint): Posting {
  return moved(chain, reserve, event, {
    kind: 'swept',
    toColdMicros: event.amountMicros,
    sequence: sequence.toString(),
  })
}

/** Returns the posting for tokens that came back from the cold wallet. */
export function refilledPosting(chain: ChainSettings, reserve: Reserve, event: PaymentEvent | TransferEvent): Posting {
  return moved(chain, reserve, event, { kind: 'refilled', toColdMicros: -event.amountMicros })
}

function moved(
  chain: ChainSettings,
  { coldWallet }: Reserve,
  event: OutflowEvent | PaymentEvent | TransferEvent,
  { kind, toColdMicros, ...about }: { kind: 'swept' | 'refilled'; toColdMicros: bigint; sequence?: string },
): Posting {
  return {
    key: businessKey(event),
    kind,
    orderId: null,
    asset: assetKey(chain),
    evidence: { ...placeEvidence(event.place), ...about },
    legs: [
      { kind: 'hot_wallet', owner: { type: 'address', id: chain.hotWallet.toLowerCase() }, amountMicros: toColdMicros },
      { kind: 'cold_wallet', owner: { type: 'address', id: coldWallet.toLowerCase() }, amountMicros: -toColdMicros },
    ],
  }
}
