import { randomInt } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { UUID_PATTERN } from '../platform/http/route/schemas.ts'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 10

/** Returns a new short id: ten random characters of 0-9 and a-z. */
export function newShortId(): string {
  return Array.from({ length: LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
}

/** Returns the column that a reference uses, and its value: a short id, or a UUID in lower case. */
export function refColumn(ref: string): { column: 'id' | 'short_id'; value: string } {
  return { column: ref.length === LENGTH ? 'short_id' : 'id', value: ref }
}

/**
 * A thing of the workspace that has an address. `page_id` and `task_id` are those of the page or task that an
 * entry or a comment is on.
 */
interface Entity {
  type: string
  id: string
  short_id: string | null
  page_id?: string | null
  task_id?: string | null
}

/** The pages of the console for things that have no page of their own. */
const SHOWN_IN: Readonly<Record<string, string>> = {
  ...{
    human: 'settings',
    agent: 'settings',
    member: 'settings',
    invitation: 'settings',
    org: 'settings',
    webhook: 'settings',
  },
  ...{ entry: 'settings', import: 'settings', confirmation: 'notifications', view: 'tasks' },
}

/**
 * Returns the path of the console's page that shows a thing: `/console/orgs/works/pages/k3v09x2m7q`, and for
 * a comment the path of its page or task, with `#comment-…`. Most things have their page at the plural of
 * their type (console/routing/paths.ts).
 */
export function entityPath(org: string, { type, id, short_id, page_id, task_id }: Entity): string {
  const ref = short_id ?? id
  const base = `/console/orgs/${encodeURIComponent(org)}`
  if (type === 'entry' || type === 'comment') {
    const place = page_id ? `pages/${page_id}` : task_id && `tasks/${task_id}`
    if (place) return `${base}/${place}#${type}-${ref}`
  }
  return `${base}/${SHOWN_IN[type] ?? `${type}s/${ref}`}`
}

const REF = new RegExp(`^(?:[0-9a-z]{10}|${UUID_PATTERN})$`)
const EXAMPLE_REF = 'k3v09x2m7q'

/** The callers who may read and write in the workspace: members of the org, and the agents of members. */
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

/** The state of a file's virus scan, in an answer. */
export const scanState = z.enum(['unscanned', 'clean', 'infected', 'unscannable', 'released', 'deleted']).openapi({
  description: 'What the virus scanner says. An operator releases an infected file, or deletes its bytes.',
})

/** Returns the schema of one page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() })
}
