import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAll } from '../../data/all.ts'
import type { LiveState } from '../../data/live.ts'
import type { Me } from '../../data/me.ts'
import type { Org } from '../../data/org.ts'
import { renewPush } from '../../data/push.ts'
import { useRead } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Trans } from '../../texts/Trans.tsx'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/pictures/Avatar.tsx'
import { Bell } from './internal/Bell.tsx'
import { GroupOfEntries, Item } from './internal/GroupOfEntries.tsx'
import { Language } from './internal/Language.tsx'
import { OrgSwitcher } from './internal/OrgSwitcher.tsx'
import { PhoneBar } from './internal/PhoneBar.tsx'
import { SandboxClock } from './internal/SandboxClock.tsx'
import { Theme } from './internal/Theme.tsx'
import { useFolds } from './internal/useFolds.ts'
import styles from './Navigation.module.css'
import { groupOf, isHere, navigationOf, WORK_TITLE } from './navigation.ts'

const LAST_ORG = 'org'

interface Props {
  me: Me
  live: LiveState
  onGoTo: () => void
  onKeys: () => void
}

/** The navigation: a column beside the page, on a phone a bar below it with the rest behind "More". */
export function Navigation({ me, live, onGoTo, onKeys }: Props) {
  const [path] = useLocation()
  const [isOpen, setOpen] = useState(false)
  const column = useRef<HTMLElement>(null)
  const close = () => setOpen(false)
  useSheet(isOpen, close, column.current)
  const { orgs, here } = useOrgs(path)
  const groups = navigationOf({ isOperator: me.role === 'operator', org: here })
  const { isUnfolded, turn } = useFolds(groupOf(groups, path))
  return (
    <>
      <nav aria-label={t('Pages')} className={styles.column} data-open={isOpen} ref={column}>
        <Link href={pathTo('home')} className={styles.brand} onClick={close}>
          Market
        </Link>
        <div className={styles.person}>
          <Avatar id={me.urn.body} name={me.display_name} />
          <span className="small muted">{me.display_name}</span>
          <Bell onClick={close} />
        </div>
        <button
          type="button"
          className={styles.goTo}
          aria-keyshortcuts="Control+K"
          onClick={() => {
            close()
            onGoTo()
          }}
        >
          <Trans message="Go to … <kbd>Ctrl K</kbd>" />
        </button>
        {groups.map((group) => (
          <GroupOfEntries
            key={String(group.title)}
            group={group}
            isUnfolded={group.title === undefined || isUnfolded(group.title)}
            onTurn={turn}
          >
            {group.title === WORK_TITLE && here ? <OrgSwitcher orgs={orgs} here={here} /> : null}
            <ul className="plain">
              {group.entries.map((entry) => (
                <li key={entry.href}>
                  <Item entry={entry} isHere={isHere(entry, path)} onClick={close} />
                </li>
              ))}
            </ul>
          </GroupOfEntries>
        ))}
        <Foot live={live} onKeys={onKeys} />
      </nav>
      <PhoneBar path={path} isOpen={isOpen} setOpen={setOpen} />
    </>
  )
}

/**
 * On a phone the column covers the page: it takes the focus, Escape closes it, and the page behind it takes
 * part in nothing.
 */
function useSheet(isOpen: boolean, close: () => void, column: HTMLElement | null): void {
  useEffect(() => {
    if (!isOpen) return
    const page = document.getElementById('page')
    page?.setAttribute('inert', '')
    column?.querySelector('a')?.focus()
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      page?.removeAttribute('inert')
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen, close, column])
}

function Foot({ live, onKeys }: Pick<Props, 'live' | 'onKeys'>) {
  const { data } = useRead('getPublicConfig', {})
  const pushKey = data?.notifications.push_public_key
  useEffect(() => {
    // A browser that refuses is asked again by the person, in the list of devices.
    if (pushKey) void renewPush(pushKey).catch(() => {})
  }, [pushKey])
  return (
    <div className={styles.foot}>
      <div aria-live="polite">{live === 'live' ? t('● live') : t('○ updates every 60 s')}</div>
      {data?.sandbox ? <SandboxClock config={data} /> : null}
      <div className="row">
        <a href="/docs">{t('Docs')}</a>
        <button type="button" className="quiet" onClick={onKeys}>
          {t('Keys')}
        </button>
        <Theme />
        <Language />
      </div>
    </div>
  )
}

/**
 * The orgs of the person, and which the navigation leads into: that of the page, or the one that was opened
 * last, or the first. Until they have been read, the first two are believed.
 */
function useOrgs(path: string): { orgs: readonly Org[] | undefined; here: string | undefined } {
  const { data: orgs } = useAll('listOrgs', {})
  const opened = /^\/orgs\/([^/]+)/.exec(path)?.[1]
  if (opened) localStorage.setItem(LAST_ORG, opened)
  const last = opened ?? localStorage.getItem(LAST_ORG) ?? undefined
  const slugs = orgs?.map(({ slug }) => slug)
  return { orgs, here: last && (slugs?.includes(last) ?? true) ? last : slugs?.[0] }
}
