import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAll } from '../data/all.ts'
import type { LiveState } from '../data/live.ts'
import type { Me } from '../data/me.ts'
import type { Org } from '../data/org.ts'
import { useRead } from '../data/queries.ts'
import { pathTo } from '../routing/paths.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Bell } from './Bell.tsx'
import styles from './Navigation.module.css'
import { type Entry, navigationOf } from './navigation.ts'
import { OrgSwitcher } from './OrgSwitcher.tsx'
import { SandboxClock } from './SandboxClock.tsx'
import { Theme } from './Theme.tsx'

const LAST_ORG = 'org'
// Entries whose addresses stand above those of others.
const ABOVE_OTHERS = ['/', '/operate', '/orgs']
const BAR = ['Home', 'Orders', 'Market', 'Money']

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
  const { orgs, here } = useOrgs(path)
  const groups = navigationOf({ isOperator: me.role === 'operator', org: here })
  const bar = groups.flatMap(({ entries }) => entries).filter(({ title }) => BAR.includes(title))
  return (
    <>
      <nav aria-label="Pages" className={styles.column} data-open={isOpen}>
        <Link href={pathTo('home')} className={styles.brand}>
          Market
        </Link>
        <div className={styles.person}>
          <Avatar id={me.urn.body} name={me.display_name} />
          <span className="small muted">{me.display_name}</span>
          <Bell onClick={() => setOpen(false)} />
        </div>
        <button
          type="button"
          className={styles.goTo}
          aria-keyshortcuts="Control+K"
          onClick={() => {
            setOpen(false)
            onGoTo()
          }}
        >
          Go to … <kbd>Ctrl K</kbd>
        </button>
        {groups.map(({ title, entries }) => (
          <div key={title}>
            <h2 className={styles.group}>{title}</h2>
            {title === 'Work' && here ? <OrgSwitcher orgs={orgs} here={here} /> : null}
            <ul className="plain">
              {entries.map((entry) => (
                <li key={entry.href}>
                  <Item entry={entry} path={path} onClick={() => setOpen(false)} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        <Foot live={live} onKeys={onKeys} />
      </nav>
      <nav aria-label="Main pages" className={styles.bar}>
        {bar.map((entry) => (
          <Item key={entry.href} entry={entry} path={path} onClick={() => setOpen(false)} />
        ))}
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'More'}
        </button>
      </nav>
    </>
  )
}

function Item({ entry, path, onClick }: { entry: Entry; path: string; onClick: () => void }) {
  const isHere = entry.href === path || (!ABOVE_OTHERS.includes(entry.href) && path.startsWith(`${entry.href}/`))
  return (
    <Link href={entry.href} className={styles.item} aria-current={isHere ? 'page' : undefined} onClick={onClick}>
      {entry.title}
    </Link>
  )
}

function Foot({ live, onKeys }: Pick<Props, 'live' | 'onKeys'>) {
  const { data } = useRead('getPublicConfig', {})
  return (
    <div className={styles.foot}>
      <div aria-live="polite">{live === 'live' ? '● live' : '○ updates every 60 s'}</div>
      {data?.sandbox ? <SandboxClock config={data} /> : null}
      <div className="row">
        <a href="/docs">Docs</a>
        <button type="button" className="quiet" onClick={onKeys}>
          Keys
        </button>
        <Theme />
      </div>
    </div>
  )
}

/** The orgs of the person, and which the navigation leads into: that of the page, or the one that was opened last, or the first. */
function useOrgs(path: string): { orgs: readonly Org[]; here: string | undefined } {
  const { data: orgs = [] } = useAll('listOrgs', {})
  const opened = /^\/orgs\/([^/]+)/.exec(path)?.[1]
  if (opened) localStorage.setItem(LAST_ORG, opened)
  const slugs = orgs.map(({ slug }) => slug)
  const last = opened ?? localStorage.getItem(LAST_ORG)
  return { orgs, here: last && slugs.includes(last) ? last : slugs[0] }
}
