import type { OrderMeasure } from '../../criteria/read.ts'
import type { Party } from '../../orders/record/find.ts'
import type { DisputeFacts } from '../facts/disputeFacts.ts'
import { limitsOf } from '../facts/remedy.ts'
import { type ReadableText, withinBudget } from '../facts/texts.ts'
import { visible } from '../screener/characters.ts'
import { withoutSuspects } from '../screener/screen.ts'

/** The input of an arbitrator: the frozen facts, and the parties' full texts. */
export interface CasePack {
  facts: DisputeFacts
  texts: readonly ReadableText[]
  criteria: OrderMeasure['criteria']
  /** A reviewer has read the texts and found none that is written to steer the judge. */
  isCleared?: boolean
}

/** A case in the form that a model reads, and the items that its answer may refer to. */
export interface ReadableCase {
  text: string
  evidenceIds: ReadonlySet<string>
  criterionIds: ReadonlySet<number>
}

const FULL_BPS = 10_000n
const PRIVATE_USE = /[\uE000-\uF8FF]/g
const MARKUP = /[*_`#>~]{1,10}|\]\([^)\n]{0,500}\)/g

/**
 * Writes a case as one JSON: facts of ours, and texts of the parties as marked data. No price, name, address
 * or URN is in it. Suspect sentences are withheld, markup goes, and every run of white space becomes `mark`,
 * a private-use character, so that a party's text cannot be mistaken for another part of the prompt. `first`
 * is the side that comes first, as P.
 */
export function writeCase(pack: CasePack, { first, mark }: { first: Party; mark: string }): ReadableCase {
  const named = (side: Party) => (side === first ? 'P' : 'Q')
  const marked = (text: string, side: Party, isGoods = false) =>
    withoutSuspects({ side, text: visible(text.replaceAll(PRIVATE_USE, '')), isGoods })
      .replaceAll(MARKUP, '')
      .trim()
      .replaceAll(/\s+/g, mark)
  const items = withinBudget(pack.texts.filter(({ kind }) => kind !== 'criteria' && kind !== 'file'))
    .toSorted((left, right) => Number(right.side === first) - Number(left.side === first))
    .map(({ side, kind, at, text, isGoods }, place) => ({
      id: `i${place + 1}`,
      side: named(side),
      kind,
      at,
      text: marked(text, side, isGoods),
    }))
  const criteria = pack.criteria.map(({ text }, place) => ({ id: place + 1, text: marked(text, 'seller', true) }))
  const parties = { P: first, Q: first === 'buyer' ? 'seller' : 'buyer' }
  return {
    text: JSON.stringify({
      trusted: { parties, mark, facts: factsForModel(pack.facts) },
      untrusted: { criteria, items },
    }),
    evidenceIds: new Set(items.map(({ id }) => id)),
    criterionIds: new Set(criteria.map(({ id }) => id)),
  }
}

/** The facts without amounts, hashes and URNs. */
function factsForModel(facts: DisputeFacts) {
  const { price, requested, offered } = limitsOf(facts)
  const bps = (micros: bigint) => Number((micros * FULL_BPS) / price)
  return {
    ...{ opener: facts.opener, grounds: facts.grounds, sla_seconds: facts.sla_seconds },
    ...{ requested_refund_bps: bps(requested), offered_refund_bps: bps(offered) },
    deliveries: facts.deliveries.map(({ message_urn, output_hash, ...known }) => known),
    ...{ rejections: facts.rejections, accepted_changes: facts.changes.length },
    acts_since_rejection: facts.acts_since_rejection,
  }
}
