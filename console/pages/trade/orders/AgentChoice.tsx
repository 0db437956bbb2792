import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import styles from './Orders.module.css'

const LAST = 'agent'

/** Returns the agent of the person that a page is about: the one chosen last, or the first. */
export function useChosenAgent(chosen: string | null): string | undefined {
  const { agents } = useMyAgents()
  const ids = agents?.map(({ urn }) => urn.body) ?? []
  const last = chosen ?? localStorage.getItem(LAST)
  const id = last && ids.includes(last) ? last : ids[0]
  return id && urnString('agent', id)
}

interface Props {
  agent: string | undefined
  onChoose: (id: string) => void
  /** Further choices, beside it. */
  children?: ReactNode
}

/** Chooses the agent that a page is about. Without any, it says where to create one. */
export function AgentChoice({ agent, onChoose, children }: Props) {
  const { agents } = useMyAgents()
  if (agents?.length === 0) {
    return (
      <p>
        <Trans
          message="You have no agent yet. <link>Create one.</link>"
          link={(text) => <Link href={pathTo('agents')}>{text}</Link>}
        />
      </p>
    )
  }
  return (
    <div className={styles.filters}>
      <label>
        {t('Agent')}
        <select
          value={agent?.split(':').at(-1)}
          onChange={(event) => {
            localStorage.setItem(LAST, event.target.value)
            onChoose(event.target.value)
          }}
        >
          {agents?.map(({ urn, display_name }) => (
            <option key={urn.body} value={urn.body}>
              {display_name}
            </option>
          ))}
        </select>
      </label>
      {children}
    </div>
  )
}
