import { useParams } from 'wouter'

/** Returns the slug of the org in the page's address, and the id of the thing that it names. */
export function useOrgParams(): { org: string; ref: string } {
  const { org = '', ref = '' } = useParams<{ org: string; ref?: string }>()
  return { org, ref }
}
