import type { Criterion } from '../trading/criteria/schema.ts'
import type { ReadableText } from '../trading/disputes/facts/texts.ts'
import { uploadsOf } from './deliveries.ts'
import type { EvaluationCase } from './format.ts'
import { timeAt } from './time.ts'

/** Returns the texts of a case that the API would read, in its order. */
export function textsOf(given: EvaluationCase, criteria: readonly Criterion[]): ReadableText[] {
  const { ask, timeline, claim, response } = given
  const goods = { side: 'seller', at: timeAt(0), isGoods: true } as const
  const end = Math.max(...timeline.map(({ at_hours }) => at_hours))
  const statements = [claim, ...(response ? [response] : [])].map(({ by, what_happened, wanted }, place) => ({
    ...{ kind: 'statement' as const, side: by, at: timeAt(end + 1 + place) },
    text: [what_happened, ...(wanted === undefined ? [] : [wanted])].join('\n'),
  }))
  const said = [
    { kind: 'description' as const, text: ask.description, ...goods },
    ...criteria.map(({ text }) => ({ kind: 'criteria' as const, text, ...goods })),
    ...statements,
    ...rejectionsOf(given),
    ...messagesOf(given).reverse(),
  ]
  return [...said, ...filesOf(given)]
}

function rejectionsOf({ timeline }: EvaluationCase): ReadableText[] {
  return timeline.flatMap((event) =>
    'rejects' in event && event.rejects !== ''
      ? [{ kind: 'rejection', side: event.by, at: timeAt(event.at_hours), text: event.rejects }]
      : [],
  )
}

/** Returns the messages. Of a sealed thread, only the disclosed ones. */
function messagesOf({ timeline, order }: EvaluationCase): ReadableText[] {
  return timeline.flatMap((event): ReadableText[] => {
    const about = { kind: 'message', side: event.by, at: timeAt(event.at_hours) } as const
    if ('proposes' in event) {
      const { text = '', changes } = event.proposes
      return [
        {
          ...about,
          text: ['scope_change_proposal', text, ...(changes ? [JSON.stringify({ changes })] : [])].join('\n'),
        },
      ]
    }
    if (!('says' in event) || (order.sealed && !event.disclosed)) return []
    return [{ ...about, text: event.says }]
  })
}

/** Returns the texts of files, none for a sealed order. */
function filesOf(given: EvaluationCase): ReadableText[] {
  return uploadsOf(given).flatMap(({ words, by, at_hours }): ReadableText[] => {
    const text = words.excerpt()
    if (text === null) return []
    return [{ kind: 'file', side: by, at: timeAt(at_hours), text, isGoods: true }]
  })
}
