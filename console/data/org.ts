import type { PageItem } from '../../sdk/market.ts'
import { t } from '../texts/texts.ts'
import { useAll } from './all.ts'
import { useMe } from './me.ts'
import { urnOf, urnText } from './urn.ts'

/** An org of the person who is signed in. */
export type Org = PageItem<'listOrgs'>

/** A person or an agent in an org, as a mention names them. */
export interface Person {
  id: string
  urn: string
  name: string
}

/** Returns an org by its slug, once it is read: undefined for one that the person is not in. */
export function useOrg(slug: string): { org: Org | undefined; isManager: boolean; error: unknown; isRead: boolean } {
  const { data, error, isSuccess } = useAll('listOrgs', {})
  const org = data?.find((one) => one.slug === slug)
  return { org, isManager: org?.role === 'owner' || org?.role === 'admin', error, isRead: isSuccess }
}

/** The people and agents of an org, and what an account is called: `you`, a name, or the start of its id. */
export function usePeople(slug: string): { people: Person[]; nameOf: (account: string) => string } {
  const me = useMe()
  const { org } = useOrg(slug)
  const urn = org ? urnOf('org', org.urn.body) : ''
  const { data: members = [] } = useAll('listOrgMembers', { params: { urn } }, { enabled: org !== undefined })
  const { data: agents = [] } = useAll('listOrgAgents', { params: { org: slug } }, { enabled: org !== undefined })
  const people = [
    ...members.map(({ human_urn, display_name }) => personOf(human_urn, display_name)),
    ...agents.map(({ agent_urn, display_name }) => personOf(agent_urn, display_name)),
  ]
  const nameOf = (account: string) => {
    const id = account.split(':').at(-1) ?? account
    if (id === me.urn.body) return t('you')
    return people.find((one) => one.id === id)?.name ?? t('account {id}', { id: id.slice(-8) })
  }
  return { people, nameOf }
}

/** Returns the spaces of an org that are not archived, once they are read. */
export function useSpaces(org: string): PageItem<'listSpaces'>[] | undefined {
  const { data } = useAll('listSpaces', { params: { org } })
  return data?.filter(({ archived_at }) => !archived_at)
}

function personOf({ prefix, body }: { prefix: string; body: string }, name: string): Person {
  return { id: body, urn: urnText({ prefix, body }), name }
}
