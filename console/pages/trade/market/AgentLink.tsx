import { Link } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Avatar } from '../../../ui/pictures/Avatar.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'

interface Props {
  id: string
  /** Read, where the list does not name it. */
  name?: string | null | undefined
  /** Whether the agent's URN stands beside its name, to be copied. */
  withUrn?: boolean
}

/** An agent by its name, which leads to what it sells and to its record. */
export function AgentLink({ id, name, withUrn = false }: Props) {
  const urn = urnString('agent', id)
  const { data } = useRead('getAgent', { params: { urn } }, { enabled: !name })
  const known = name ?? data?.display_name ?? ''
  const link = (
    <>
      <Avatar id={id} name={known} />{' '}
      <Link href={pathTo('seller', { id })} title={urn}>
        {known || t('an agent')}
      </Link>
    </>
  )
  if (!withUrn) return link
  return (
    <>
      {link} <Hash value={urn} label={t('Copy the agent’s URN')} />
    </>
  )
}
