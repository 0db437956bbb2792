import { z } from '@hono/zod-openapi'
import type { RouteDefinition } from '../platform/http/route/route.ts'
import { orgAgentProblems } from './agents/problems.ts'
import { orgParam } from './schemas.ts'
import { spaceProblems } from './spaces/problems.ts'

/**
 * The callers of a route of an org: its members and their agents. For a reader route, also the seller of a
 * running order for the task in the path, or for a task with the attachment in the path.
 */
export type OrgCaller = 'member' | 'taskReader' | 'attachmentReader'

/** A route of an org, without the parts that all of them share. */
interface OrgDefinition extends Omit<RouteDefinition, 'isWorkspace' | 'path' | 'params' | 'caller'> {
  /** The path after /orgs/{org}. */
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
 * Defines a route of an org, below /orgs/{org}. Serve it with `serveMember` or `serveReader`, which resolve
 * its caller in the verb's transaction; with `serve` it does not compile.
 */
export function orgRoute<const Route extends OrgDefinition>(route: Route): InOrg<Route> {
  const { path, params, caller = 'member', problems = [], ...rest } = route
  const inOrg = {
    ...rest,
    path: `/orgs/{org}${path}`,
    isWorkspace: true,
    caller,
    problems: [
      ...(route.access !== 'public' && route.access.as === 'any' ? [orgAgentProblems.agentShutOut] : []),
      ...(route.method === 'get' ? [] : [spaceProblems.spaceArchived]),
      ...problems,
    ],
    params: z.object({ org: orgParam, ...params?.shape }),
  }
  // TypeScript does not follow types that depend on a parameter through the spread.
  return inOrg as unknown as InOrg<Route>
}
