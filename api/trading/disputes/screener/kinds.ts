import { CONCEPTS, type Concept } from './concepts.ts'
import { PARTY } from './outcomes.ts'

/** A place in a text that mentions several concepts at once. */
export interface Place {
  kind: string
  sentence: string
  index: number
  /** The position in the text of the words that show the kind. */
  at: number
}

/**
 * Where a text is: a statement about the work, the work itself (perhaps prompts or stories), a file's name,
 * or hidden.
 */
export type Where = 'said' | 'goods' | 'name' | 'concealed'

interface Kind {
  name: string
  /** The concepts that one sentence must mention, all of them. */
  together: readonly Concept[]
  /** The concepts that it or its neighbours must mention: at least one of each list. */
  near?: readonly (readonly Concept[])[]
  /** Where it is an attack, if not only in statements. */
  where?: readonly Where[]
}

/** Telling the grader that the work is as agreed. No work needs to say so. */
export const VOUCHES = 'vouches_to_reader'

const EVERYWHERE: readonly Where[] = ['said', 'goods', 'name', 'concealed']
const NOT_IN_GOODS: readonly Where[] = ['said', 'name', 'concealed']
const IN_FILES: readonly Where[] = ['goods', 'name', 'concealed']

/** Kinds of attack, each by the concepts that it mentions together, independent of wording and language. */
const KINDS: readonly Kind[] = [
  {
    name: 'sets_rules_aside',
    together: ['ignore', 'instructions', 'prior'],
    near: [['outcome', 'approval', 'stake']],
    where: EVERYWHERE,
  },
  {
    name: 'sets_rules_aside',
    together: ['ignore', 'instructions', 'decision'],
    near: [['outcome']],
    where: EVERYWHERE,
  },
  { name: 'sets_rules_aside', together: ['ignore', 'instructions', 'outcome'], where: ['name', 'concealed'] },
  {
    name: 'sets_rules_aside',
    together: ['ignore', 'reader'],
    near: [
      ['outcome', 'approval'],
      ['decision', 'instructions'],
    ],
  },
  { name: 'forbids_judging', together: ['absolute', 'outcome'], near: [['reader'], ['decision', 'policy', 'staff']] },
  { name: 'forbids_judging', together: ['absolute', 'reader'], near: [['outcome'], ['decision', 'policy', 'staff']] },
  {
    name: 'plays_a_role',
    together: ['role'],
    near: [['outcome'], ['decision', 'reader', 'utter']],
    where: NOT_IN_GOODS,
  },
  {
    name: 'speaks_for_service',
    together: ['staff'],
    near: [
      ['outcome', 'approval'],
      ['settled', 'absolute'],
    ],
    where: NOT_IN_GOODS,
  },
  { name: 'forbids_judging', together: ['absolute', 'outcome', 'decision'] },
  { name: 'dictates_outcome', together: ['answer', 'outcome'] },
  { name: 'invents_policy', together: ['policy'], near: [['outcome'], ['absolute', 'must'], ['decision', 'reader']] },
  { name: 'tells_a_ruling', together: ['precedent'], near: [['outcome'], ['binding']] },
  { name: 'asks_for_prompt', together: ['reveal', 'prompt'], near: [['reader', 'decision', 'absolute', 'ignore']] },
  { name: VOUCHES, together: ['addressed', 'approval'], where: IN_FILES },
  { name: VOUCHES, together: ['addressed', 'outcome'], where: IN_FILES },
  { name: 'names_an_order', together: ['order', 'outcome'], where: ['name'] },
  {
    name: 'conceals_an_order',
    together: ['outcome'],
    near: [['decision', 'reader', 'absolute', 'answer', 'ignore', 'staff', 'role']],
    where: ['concealed'],
  },
  {
    name: 'bribes_or_threatens',
    together: ['stake'],
    near: [
      ['outcome', 'decision'],
      ['reader', 'outcome'],
    ],
    where: NOT_IN_GOODS,
  },
  {
    name: 'assembles_parts',
    together: ['assemble'],
    near: [
      ['part', 'ignore'],
      ['outcome', 'ignore', 'instructions'],
    ],
    where: NOT_IN_GOODS,
  },
]

const SENTENCE = /[^.!?。！？।\n;]{1,400}[.!?。！？।\n;]{0,8}/gu
const NEAR_SENTENCES = 2
const NAMES = Object.keys(CONCEPTS) as Concept[]

interface Sentence {
  text: string
  index: number
  about: ReadonlySet<Concept>
}

/** Returns the places of a text that are of a kind: one sentence each, in the order of the text. */
export function placesIn(text: string, stands: Where): Place[] {
  const kinds = KINDS.filter(({ where = ['said'] }) => where.includes(stands))
  const sentences = [...text.matchAll(SENTENCE)].map(
    ({ 0: sentence, index }): Sentence => ({ text: sentence, index, about: conceptsOf(sentence) }),
  )
  return sentences.flatMap(({ text: sentence, index, about }, place) => {
    if (about.size === 0) return []
    const around = sentences.slice(Math.max(0, place - NEAR_SENTENCES), place + NEAR_SENTENCES + 1)
    const isNear = (concept: Concept) => around.some((one) => one.about.has(concept))
    return kinds
      .filter(
        ({ together, near = [] }) => together.every((one) => about.has(one)) && near.every((list) => list.some(isNear)),
      )
      .map(({ name, together: [first] }) => ({
        ...{ kind: name, sentence, index },
        at: index + (first ? sentence.search(CONCEPTS[first]) : 0),
      }))
  })
}

/** A sentence that says a party disregarded something is a complaint, not an order. */
function conceptsOf(sentence: string): ReadonlySet<Concept> {
  const about = new Set(NAMES.filter((name) => CONCEPTS[name].test(sentence)))
  if (about.has('ignore') && PARTY.test(sentence.slice(0, sentence.search(CONCEPTS.ignore)))) about.delete('ignore')
  return about
}
