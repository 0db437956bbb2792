import { useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { useLiveEvents } from '../data/live.ts'
import { type Me, MeContext } from '../data/me.ts'
import { isSignedOut, useRead } from '../data/queries.ts'
import { remark, useRemark } from '../data/remark.ts'
import { accountPages } from '../pages/account/routes.tsx'
import { operatePages } from '../pages/operate/routes.tsx'
import { openPages, tradePages } from '../pages/trade/routes.tsx'
import { webhookPages } from '../pages/webhooks/routes.tsx'
import { workPages } from '../pages/work/routes.tsx'
import { PATHS } from '../routing/paths.ts'
import { LoadedPage, startLoading } from '../routing/routes.tsx'
import { Enrol } from '../session/Enrol.tsx'
import { SessionOver } from '../session/SessionOver.tsx'
import { SignIn } from '../session/SignIn.tsx'
import { Trans } from '../texts/Trans.tsx'
import { t } from '../texts/texts.ts'
import { Problem } from '../ui/forms/Problem.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Main } from './internal/Main.tsx'
import { useKeptFocus } from './internal/useKeptFocus.ts'
import { Waits } from './internal/Waits.tsx'
import { Keyboard, type Opened } from './keyboard/Keyboard.tsx'
import { Navigation } from './navigation/Navigation.tsx'
import styles from './Shell.module.css'

const PAGES = [...tradePages, ...accountPages, ...webhookPages, ...workPages, ...operatePages]

// The code of the page that is asked for comes beside the answer to who is in.
startLoading([...openPages, ...PAGES], location.pathname.replace(/^\/console\/?/, '/'))

/** Set while somebody is in: shell.js shows the outline of the navigation by it. */
const WAS_IN = 'shell'

/** The whole console: what is open to all, then a sign-in, then the pages with their navigation. */
export function Shell() {
  return (
    <>
      <Waits />
      <Places />
    </>
  )
}

function Places() {
  return (
    <Switch>
      <Route path={PATHS.enrol} component={Enrol} />
      {openPages.map(({ path, load }) => (
        <Route key={path} path={path}>
          <Main path={path} className={styles.open} above={<Start />}>
            <LoadedPage load={load} />
          </Main>
        </Route>
      ))}
      <Route>
        <SignedIn />
      </Route>
    </Switch>
  )
}

function SignedIn() {
  const me = useRead('getMe', {}, { pollMs: 60_000 })
  const isIn = me.data !== undefined && !isSignedOut(me.error)
  const isOut = isSignedOut(me.error)
  useEffect(() => {
    if (isIn) localStorage.setItem(WAS_IN, 'in')
    if (isOut) localStorage.removeItem(WAS_IN)
  }, [isIn, isOut])
  if (me.data && isOut) return <Pages me={me.data} isSessionOver />
  if (me.data) return <Pages me={me.data} />
  if (isOut) return <SignIn />
  // The outline of index.html is there until this shows something.
  if (!me.error) return null
  return (
    <main className={styles.open}>
      <PageHead title="Market" />
      <Problem error={me.error} />
    </main>
  )
}

function Pages({ me, isSessionOver = false }: { me: Me; isSessionOver?: boolean }) {
  const live = useLiveEvents()
  useKeptFocus()
  const [path, navigate] = useLocation()
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    if (path === PATHS.signIn) navigate(PATHS.home, { replace: true })
    window.scrollTo(0, 0)
  }, [path, navigate])
  return (
    <MeContext value={me}>
      <a className={styles.skip} href="#page">
        {t('Skip to content')}
      </a>
      <div className={styles.shell}>
        <Navigation me={me} live={live} onGoTo={() => setOpened('palette')} onKeys={() => setOpened('help')} />
        <Main path={path} className={styles.page} above={<Remark key={`of ${path}`} />}>
          <Switch>
            {PAGES.map(({ path: pattern, load }) => (
              <Route key={pattern} path={pattern}>
                <LoadedPage load={load} />
              </Route>
            ))}
            <Route>
              <PageHead title={t('Page not found')} />
              <p>
                <Trans
                  message="Nothing is at <code>{path}</code>. <link>Go to the home page</link>"
                  path={path}
                  link={(text) => <Link href={PATHS.home}>{text}</Link>}
                />
              </p>
            </Route>
          </Switch>
        </Main>
      </div>
      <Keyboard isOperator={me.role === 'operator'} opened={opened} setOpened={setOpened} />
      {isSessionOver ? <SessionOver /> : null}
    </MeContext>
  )
}

/** The way from a page that is open to all to what this is. */
function Start() {
  return (
    <a href="/" className={styles.start}>
      Market
    </a>
  )
}

/** The message about what was just done here. */
function Remark() {
  const text = useRemark()
  useEffect(() => () => remark(undefined), [])
  return <div role="status">{text ? <p className={styles.remark}>{text}</p> : null}</div>
}
