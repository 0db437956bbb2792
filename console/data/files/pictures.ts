import { useQuery } from '@tanstack/react-query'
import type { PageItem } from '../../../sdk/market.ts'
import { market } from '../market.ts'

type Picture = PageItem<'listPictures'>
type Asked = PromiseWithResolvers<Picture | null>

const STALE_MS = 300_000
const JOIN_MS = 10
const MOST = 100

/** Who is asked for next: a page asks for all whom it shows in one call. */
let next = new Map<string, Asked>()

/**
 * Returns the picture of a person, an agent or an org: undefined before it is read, null for one that has
 * none.
 */
export function usePicture(id: string): Picture | null | undefined {
  return useQuery({
    queryKey: ['listPictures', id],
    queryFn: () => findPicture(id),
    staleTime: STALE_MS,
    enabled: id !== '',
  }).data
}

/** Returns the address of a picture. */
export function pictureUrl(id: string): string {
  return `/v1/pictures/${id}`
}

function findPicture(id: string): Promise<Picture | null> {
  if (next.size === 0) setTimeout(askForAll, JOIN_MS)
  const asked = next.get(id) ?? Promise.withResolvers<Picture | null>()
  next.set(id, asked)
  if (next.size === MOST) void askForAll()
  return asked.promise
}

async function askForAll(): Promise<void> {
  const all = next
  next = new Map()
  if (all.size === 0) return
  try {
    const { body } = await market.call('listPictures', { query: { of: [...all.keys()].join(',') } })
    const pictures = new Map(body.pictures.map((picture) => [picture.of, picture]))
    for (const [id, { resolve }] of all) resolve(pictures.get(id) ?? null)
  } catch (error) {
    for (const { reject } of all.values()) reject(error)
  }
}
