import { type Catalogue, SOURCE_LANGUAGE, setLanguage } from './texts.ts'

const KEPT = 'language'
const FILES = import.meta.glob<{ default: Catalogue }>(['./*.json', `!./en.json`])

/** The languages that there are texts of. */
export const LANGUAGES: readonly string[] = [
  SOURCE_LANGUAGE,
  ...Object.keys(FILES).map((file) => file.replace(/^\.\/(.*)\.json$/, '$1')),
]

/**
 * Loads the texts of the language that the person chose here, or else of the first of the browser's languages
 * that there is.
 */
export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEPT) ?? [], navigator.languages].flat()
  const locale = wanted.find((name) => languageIn(name)) ?? SOURCE_LANGUAGE
  const language = languageIn(locale) ?? SOURCE_LANGUAGE
  const catalogue = (await FILES[`./${language}.json`]?.())?.default ?? {}
  setLanguage(locale, catalogue)
  document.documentElement.lang = language
}

/** Returns the language that the person chose here, or nothing. */
export function chosenLanguage(): string {
  return localStorage.getItem(KEPT) ?? ''
}

/**
 * Keeps a language in this browser; without one, the browser's own languages decide. The page is loaded again
 * in it.
 */
export function chooseLanguage(language: string): void {
  if (language) localStorage.setItem(KEPT, language)
  else localStorage.removeItem(KEPT)
  location.reload()
}

/** Returns the language of ours that a locale such as `de-AT` is of: `de-AT` itself, or `de`. */
function languageIn(locale: string): string | undefined {
  return (
    LANGUAGES.find((language) => language === locale) ?? LANGUAGES.find((language) => language === locale.split('-')[0])
  )
}
