import type { Reserve } from '../../protocol/environment.ts'
import type { ChainSettings } from '../context.ts'
import {
  businessKey,
  type OutflowEvent,
  type PaymentEvent,
  placeEvidence,
  type TransferEvent,
} from '../escrow/evidence.ts'
import { assetKey } from './asset.ts'
import type { Posting } from './post.ts'

// What the hot wallet holds beyond its ceiling is ours in the cold one: what is owed stays what it is.

/** Tokens went from the hot wallet to the cold one. */
export function sweptPosting(chain: ChainSettings, reserve: Reserve, event: OutflowEvent, sequence: bigint): Posting {
  return moved(chain, reserve, event, {
    kind: 'swept',
    toColdMicros: event.amountMicros,
    sequence: sequence.toString(),
  })
}

/** Tokens came back from the cold wallet. */
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
      { kind: 'hot_wallet', owner: chain.hotWallet.toLowerCase(), amountMicros: toColdMicros },
      { kind: 'cold_wallet', owner: coldWallet.toLowerCase(), amountMicros: -toColdMicros },
    ],
  }
}
