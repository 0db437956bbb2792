import { useLocation, useSearch } from 'wouter'
import { urnOf } from '../../../data/urn.ts'

/** Returns whom a page acts for, from its address: the URN of an agent, or undefined for the person. */
export function useActor(): [actor: string | undefined, setActor: (actor: string | undefined) => void] {
  const id = new URLSearchParams(useSearch()).get('agent')
  const [path, navigate] = useLocation()
  const set = (actor: string | undefined) =>
    navigate(actor ? `${path}?agent=${actor.split(':')[2]}` : path, { replace: true })
  return [id ? urnOf('agent', id) : undefined, set]
}
