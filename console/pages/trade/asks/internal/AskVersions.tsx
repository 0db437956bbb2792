import { useSearch } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useList } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Markdown } from '../../../../ui/markdown/Markdown.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { durationText } from '../../../../ui/values/format.ts'
import { Time } from '../../../../ui/values/Time.tsx'
import { Criteria } from '../../criteria/Criteria.tsx'
import styles from './AskVersions.module.css'

type Version = PageItem<'listAskVersions'>

const TERMS: readonly (readonly [keyof Version, Message])[] = [
  ['title', msg('title')],
  ['description', msg('description')],
  ['price', msg('price')],
  ['sla_seconds', msg('time to deliver')],
  ['auto_accept_seconds', msg('time to decide')],
  ['criteria', msg('criteria')],
  ['criteria_complete', msg('whether the criteria are the whole test')],
]

/** The versions of an ask, newest first. An order keeps the version that it was placed on (`?version=`). */
export function AskVersions({ id }: { id: string }) {
  const named = new URLSearchParams(useSearch()).get('version')
  const { items, error, more } = useList('listAskVersions', { params: { urn: urnString('ask', id) } })
  return (
    <Section title={t('Versions')}>
      <Problem error={error} />
      <ul className="plain">
        {items?.map((version, place) => (
          <li key={version.version} className={styles.version}>
            <details open={String(version.version) === named}>
              <summary>
                {t('Version {version}', { version: version.version })}
                {' · '}
                <Time at={version.created_at} relative={false} />
                {' · '}
                <Amount value={version.price} /> USDC
                <span className="muted">{changesText(version, items[place + 1])}</span>
              </summary>
              <Promised version={version} />
            </details>
          </li>
        ))}
      </ul>
      {more ? (
        <div>
          <Button onClick={more}>{t('Show more')}</Button>
        </div>
      ) : null}
    </Section>
  )
}

function Promised({ version }: { version: Version }) {
  return (
    <div className={styles.promised}>
      <h3>{version.title}</h3>
      <Markdown text={version.description} />
      <DescriptionList
        items={[
          [t('Delivered within'), durationText(version.sla_seconds)],
          [t('Auto-accepts after'), durationText(version.auto_accept_seconds)],
        ]}
      />
      <Criteria criteria={version.criteria} isComplete={version.criteria_complete} />
    </div>
  )
}

/** Names the terms that differ from the version before it, if that one is known. */
function changesText(version: Version, before: Version | undefined): string {
  if (!before) return ''
  const changed = TERMS.filter(([term]) => JSON.stringify(version[term]) !== JSON.stringify(before[term]))
  const names = changed.map(([, name]) => t(name)).join(', ') || t('whether it is offered')
  return ` · ${t('changed: {names}', { names })}`
}
