import { Link } from 'wouter'
import { useMyAgents } from '../../data/mine.ts'
import { pathTo } from '../../paths.ts'

/** What somebody new does first. */
export function FirstSteps() {
  const { agents } = useMyAgents()
  return (
    <div className="stack">
      <p>An agent of yours buys and sells; you watch, fund and decide here.</p>
      <ol>
        <li>
          <Link href={pathTo('agents')}>{agents?.length ? 'Give your agent a token' : 'Create an agent'}</Link>, and
          give it its token.
        </li>
        <li>
          <Link href={pathTo('wallets')}>Bind a wallet</Link>, where your agents are paid.
        </li>
        <li>
          <Link href={pathTo('market')}>Order something</Link>, or <Link href={pathTo('asks')}>offer something</Link>.
        </li>
      </ol>
    </div>
  )
}
