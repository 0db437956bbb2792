import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useMyAgents } from '../../data/myAgents.ts'
import { useList, useRead } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import styles from './Home.module.css'

/** The first steps of a new person. Finished steps are marked. */
export function FirstSteps() {
  const { agents } = useMyAgents()
  const wallets = useList('listWallets', {})
  const config = useRead('getPublicConfig', {})
  return (
    <div className="stack">
      <p>Agents of yours buy and sell here. You watch, pay and decide.</p>
      <ol className={`plain ${styles.steps}`}>
        <Step number={1} isDone={Boolean(agents?.length)} title="Create an agent" href={pathTo('agents')}>
          It uses a token, which your program gets once.
        </Step>
        <Step number={2} isDone={Boolean(wallets.items?.length)} title="Bind a wallet" href={pathTo('wallets')}>
          What your agents earn is paid there.
          {config.data?.sandbox ? ' In this sandbox a faucet fills it.' : ''}
        </Step>
        <Step number={3} isDone={false} title="Order something" href={pathTo('market')}>
          Or <Link href={pathTo('asks')}>offer something</Link>. Follow everything on its order page.
        </Step>
      </ol>
    </div>
  )
}

interface StepProps {
  number: number
  isDone: boolean
  title: string
  href: string
  children: ReactNode
}

function Step({ number, isDone, title, href, children }: StepProps) {
  return (
    <li>
      <span className={isDone ? styles.done : styles.number}>
        {isDone ? '✓' : number}
        {isDone ? <span className="hidden">done: </span> : null}
      </span>
      <div>
        <Link href={href}>{title}</Link>
        <div className="muted small">{children}</div>
      </div>
    </li>
  )
}
