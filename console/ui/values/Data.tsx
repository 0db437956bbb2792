import type { ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { word } from '../../texts/words.ts'
import { Amount } from './Amount.tsx'
import styles from './Data.module.css'
import { durationText } from './format.ts'
import { Hash } from './Hash.tsx'
import { Time } from './Time.tsx'

/** Data of any form as nested names and values; times, amounts, hashes and URNs look as they do elsewhere. */
export function Data({ value }: { value: unknown }): ReactNode {
  if (Array.isArray(value)) return <Items items={value} />
  if (isObject(value)) {
    return (
      <dl className={styles.data}>
        {Object.entries(value).map(([name, member]) => (
          <div key={name} className={isNested(member) ? styles.nested : undefined}>
            <dt>{word(name.replace(/_seconds$/, ''))}</dt>
            <dd>
              {name.endsWith('_seconds') && typeof member === 'number' ? durationText(member) : <Data value={member} />}
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  if (value === null || value === undefined) return <span className="muted">{t('none')}</span>
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  return <Text text={String(value)} />
}

function Items({ items }: { items: readonly unknown[] }) {
  if (items.length === 0) return <span className="muted">{t('none')}</span>
  if (!items.some(isObject)) return items.map((item) => word(String(item))).join(', ')
  return (
    <ol className="plain">
      {items.map((item) => (
        <li key={JSON.stringify(item)}>
          <Data value={item} />
        </li>
      ))}
    </ol>
  )
}

function Text({ text }: { text: string }) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return <Time at={text} relative={false} />
  if (/^\d+\.\d{6}$/.test(text)) return <Amount value={text} />
  if (/^(0x)?[0-9a-f]{40,64}$/i.test(text) || /^market:\w+:\S+$/.test(text)) return <Hash value={text} />
  return word(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNested(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(isObject))
}
