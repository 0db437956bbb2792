import { z } from '@hono/zod-openapi'
import type { RouteDefinition } from '../platform/http/route/route.ts'
import { orgParam } from './schemas.ts'

/**
 * Who may call a route of an org: its members, and their agents; a reader is a member too, or the seller of a running order
 * that the task in the path, or a task with the attachment in the path, is done for.
 */
export type OrgCaller = 'member' | 'taskReader' | 'attachmentReader'

/** A route of an org, without what all of them share. */
interface OrgDefinition extends Omit<RouteDefinition, 'isWorkspace' | 'path' | 'params' | 'caller'> {
  /** What follows /orgs/{org}. */
  path: `/${string}`
  /** Besides the org. */
  params?: z.ZodObject
  /** Default: member. */
  caller?: OrgCaller
}

type ShapeOf<Route> = Route extends { params: z.ZodObject<infer Shape> } ? Shape : unknown

type InOrg<Route extends OrgDefinition> = Omit<Route, 'params' | 'caller'> & {
  isWorkspace: true
  caller: Route extends { caller: infer Caller extends OrgCaller } ? Caller : 'member'
  params: z.ZodObject<{ org: typeof orgParam } & ShapeOf<Route>>
}

/**
 * Defines a route of an org, below /orgs/{org}. It is served by `serveMember` or `serveReader`, which resolve its caller in
 * the verb's transaction; by `serve` it does not compile.
 */
export function orgRoute<const Route extends OrgDefinition>(route: Route): InOrg<Route> {
  const { path, params, caller = 'member', ...rest } = route
  const inOrg = {
    ...rest,
    path: `/orgs/{org}${path}`,
    isWorkspace: true,
    caller,
    params: z.object({ org: orgParam, ...params?.shape }),
  }
  // TypeScript does not follow types that depend on a parameter through the spread.
  return inOrg as unknown as InOrg<Route>
}
