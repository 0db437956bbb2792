import { type Formatters, fill, type Part, parse } from './message.ts'

/** The language that the texts in the source are written in. */
export const SOURCE_LANGUAGE = 'en'

declare const MESSAGE: unique symbol

/**
 * A message of a constant, which `t` turns into text where it is shown: constants are made before a language
 * is loaded.
 */
export interface Message {
  readonly [MESSAGE]: true
}

type TextValues = Readonly<Record<string, string | number | bigint | undefined>>

/** The texts of a language, by the English messages. */
export type Catalogue = Readonly<Record<string, string>>

interface Language {
  /** As people and browsers name it: `de-AT`. */
  locale: string
  catalogue: Catalogue
  formatters: Formatters
}

// A word in brackets at the end tells two meanings of one English text apart.
const MEANING = / \[[\w ]+\]$/

let language = languageOf(SOURCE_LANGUAGE, {})
let parsed = new Map<string, Part[]>()

function languageOf(locale: string, catalogue: Catalogue): Language {
  return {
    locale,
    catalogue,
    formatters: { plurals: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) },
  }
}

/** Sets the language of all texts. A message that its catalogue lacks is shown in English. */
export function setLanguage(locale: string, catalogue: Catalogue): void {
  language = languageOf(locale, catalogue)
  parsed = new Map()
}

/** Returns the locale by which numbers and times are written. */
export function locale(): string {
  return language.locale
}

/** Marks a message of a constant, so that the catalogue has it. */
export function msg<const M extends string>(message: Literal<M>): Message {
  return message as unknown as Message
}

type Literal<M extends string> = string extends M ? never : M

/**
 * Returns a message in the reader's language, with its values. The English text stands in the source;
 * `./market generate` collects it into `en.json`.
 */
export function t<const M extends string>(message: Literal<M> | Message, values: TextValues = {}): string {
  return fill(partsOf(message), values, language.formatters, (_tag, inner) => inner.join('')).join('')
}

/** Returns the parts of a message in the reader's language, and how that writes numbers. */
export function partsOf(message: string | Message): Part[] {
  const key = message as string
  const known = parsed.get(key)
  if (known) return known
  const parts = parse(language.catalogue[key] ?? key.replace(MEANING, ''))
  parsed.set(key, parts)
  return parts
}

/** Returns how the reader's language writes numbers and chooses plurals. */
export function formatters(): Formatters {
  return language.formatters
}
