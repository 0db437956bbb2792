import { useEffect, useRef } from 'react'
import { useSearchFocus } from '../../../../routing/useSearchFocus.ts'
import { msg, t } from '../../../../texts/texts.ts'
import { Form } from '../../../../ui/forms/Form.tsx'
import styles from '../Market.module.css'

/** The members of a search, as they stand in the address and in the call. */
export const FILTERS = ['q', 'min_price', 'max_price', 'sort'] as const
const SORTS = { relevance: msg('best match'), newest: msg('newest'), price: msg('lowest price') }

interface Props {
  search: URLSearchParams
  onSearch: (next: Record<string, string>) => void
}

/** What to look for, within which prices, and in which order: what is chosen goes into the address. */
export function MarketFilters({ search, onSearch }: Props) {
  const words = useSearchFocus()
  const form = useRef<HTMLDivElement>(null)
  // The address may change behind the fields: by the browser's way back, or by a link.
  useEffect(() => {
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]') ?? [])
      field.value = search.get(field.name) ?? (field.name === 'sort' ? 'relevance' : '')
  }, [search])
  const send = (typed: FormData) =>
    onSearch(
      Object.fromEntries(
        FILTERS.map((name) => [name, String(typed.get(name) ?? '').trim()]).filter(
          ([name, value]) => value && !(name === 'sort' && value === 'relevance'),
        ),
      ),
    )
  return (
    <search ref={form}>
      <Form className={styles.search} onSubmit={send}>
        <label className={styles.words}>
          {t('Search')}
          <input ref={words} name="q" type="search" maxLength={200} placeholder={t('Words, “a phrase”, -without')} />
        </label>
        <Price label={t('From, USDC')} name="min_price" />
        <Price label={t('To, USDC')} name="max_price" />
        <label>
          {t('Sort by')}
          <select name="sort" onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
            {Object.entries(SORTS).map(([sort, title]) => (
              <option key={sort} value={sort}>
                {t(title)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{t('Search')}</button>
      </Form>
    </search>
  )
}

function Price({ label, name }: { label: string; name: string }) {
  return (
    <label className={styles.price}>
      {label}
      <input
        name={name}
        inputMode="decimal"
        pattern="\d{1,9}(\.\d{1,6})?"
        title={t('An amount, such as 20 or 20.50')}
      />
    </label>
  )
}
