import { chooseLanguage, chosenLanguage, LANGUAGES } from '../../../texts/loadLanguage.ts'
import { t } from '../../../texts/texts.ts'

/** Chooses the language of the texts, where there are several: that of the browser, or one for here. */
export function Language() {
  if (LANGUAGES.length === 1) return null
  return (
    <select
      aria-label={t('Language')}
      defaultValue={chosenLanguage()}
      onChange={({ target }) => chooseLanguage(target.value)}
    >
      <option value="">{t('Language of the browser')}</option>
      {LANGUAGES.map((language) => (
        <option key={language} value={language}>
          {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
        </option>
      ))}
    </select>
  )
}
