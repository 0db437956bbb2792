import { z } from '@hono/zod-openapi'
import { UUID_PATTERN } from '../platform/http/route/schemas.ts'

const REF = new RegExp(`^(?:[0-9a-z]{10}|${UUID_PATTERN})$`)
const EXAMPLE_REF = 'k3v09x2m7q'

/** Who may read and who may write in the workspace: members of the org, and the agents of members. */
export const readsWorkspace = { scope: 'read', as: 'any' } as const
export const writesWorkspace = { scope: 'transact', as: 'any' } as const

/** A short id or a UUID, in a request. */
export function refSchema(what: string) {
  return z
    .string()
    .regex(REF, 'must be a short id or a UUID')
    .transform((ref) => ref.toLowerCase())
    .openapi({ description: `Short id or UUID of the ${what}.`, example: EXAMPLE_REF })
}

/** Yes or no, in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The org in a path: the slug of one of /v1/me/orgs. */
export const orgParam = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .openapi({ description: 'Slug of an org that you are in.', example: 'verse-works' })

/** The number of a version, in a path. */
export const numberParam = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number)
  .openapi({ description: 'Number of the version.', example: '1' })

/** The id, short id and author that each thing of the workspace has, in an answer. */
export const identity = {
  id: z.uuid(),
  short_id: z.string().openapi({ example: EXAMPLE_REF }),
}

export const shortIdText = z.string().openapi({ example: EXAMPLE_REF })

/** The account that made something: form B of its URN. */
export const authorText = z.string().openapi({ example: 'market:human:01890000-0000-7000-8000-000000000000' })

/** What became of a file's virus scan, in an answer. */
export const scanState = z.enum(['unscanned', 'clean', 'infected', 'unscannable', 'released', 'deleted']).openapi({
  description: 'What the virus scanner says. An operator releases an infected file, or deletes its bytes.',
})

/** Returns the schema of one page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() })
}
