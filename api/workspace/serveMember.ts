import type { CallContext } from '../context.ts'
import type { Db, Tx } from '../platform/db/pool.ts'
import { type StreamRun, serveStream } from '../platform/http/files/serveStream.ts'
import type { RouteDefinition } from '../platform/http/route/route.ts'
import type { CallOf, Input } from '../platform/http/serve/receive.ts'
import { type PreparedRun, type Result, type Run, type ServedRoute, serveFramed } from '../platform/http/serve/serve.ts'
import { type Member, requireMember, requireReader, type TaskSeller } from './membership.ts'
import type { OrgCaller } from './orgRoute.ts'

type RouteFor<Caller extends OrgCaller> = RouteDefinition & { caller: Caller }

/** A call by a member of the org in its path. */
export type MemberCall = CallContext & { member: Member }

/** A call by a reader of the task or the attachment in its path. */
export type ReaderCall = CallContext & { reader: Member | TaskSeller }

/** A verb whose call includes, besides the actor, the actor's place in the org. */
type OrgRun<Route extends RouteDefinition, Who, Answer, Prepared> = (
  tx: Tx,
  call: CallOf<Route> & Who,
  input: Input<Route>,
  prepared: Prepared,
) => Promise<Answer>

interface PreparedOrgRun<Route extends RouteDefinition, Who, Answer, Prepared>
  extends Omit<PreparedRun<Route, Answer, Prepared>, 'run'> {
  run: OrgRun<Route, Who, Answer, Prepared>
}

/** Binds a route of an org to a verb that gets the caller as a member. Throws as `requireMember`. */
export function serveMember<Route extends RouteFor<'member'>, const Answer extends Result<Route>, Prepared = undefined>(
  route: Route,
  verb:
    | OrgRun<Route, { member: Member }, Answer, undefined>
    | PreparedOrgRun<Route, { member: Member }, Answer, Prepared>,
): ServedRoute {
  const enter = <Given>(run: OrgRun<Route, { member: Member }, Answer, Given>) =>
    entering(run, async (tx, { actor }, { org }) => ({ member: await requireMember(tx, actor, org) }))
  if (typeof verb === 'function') return serveFramed(route, enter(verb))
  return serveFramed(route, { ...verb, run: enter(verb.run) })
}

/**
 * Binds a route to a verb that gets the caller as a reader of the task or the attachment in its path. Throws
 * as `requireReader`.
 */
export function serveReader<
  Route extends RouteFor<'taskReader' | 'attachmentReader'>,
  const Answer extends Result<Route>,
>(route: Route, verb: OrgRun<Route, { reader: Member | TaskSeller }, Answer, undefined>): ServedRoute {
  return serveFramed(
    route,
    entering(verb, async (tx, { actor }, { org, ref }) => {
      const what = route.caller === 'taskReader' ? { task: ref } : { attachment: ref }
      return { reader: await requireReader(tx, actor, org, what) }
    }),
  )
}

/** Binds a route of an org to a stream of what a member sees. Throws as `requireMember`. */
export function streamMember<Route extends RouteFor<'member'>, Found>(
  route: Route,
  { find, ...run }: StreamRun<CallOf<Route> & { member: Member }, Route, Found>,
): ServedRoute {
  return serveStream<Route, Found>(route, {
    ...run,
    find: async (tx, call, input) => {
      const { org } = input.params as { org: string }
      return find(tx, { ...call, member: await requireMember(tx, (call as CallContext).actor, org) }, input)
    },
  })
}

/** Resolves the caller in the verb's transaction, before the verb runs. */
function entering<Route extends RouteDefinition, Who, Answer, Prepared>(
  run: OrgRun<Route, Who, Answer, Prepared>,
  resolve: (tx: Db | Tx, call: CallContext, params: { org: string; ref: string }) => Promise<Who>,
): Run<Route, Answer, Prepared> {
  return async (tx, call, input, prepared) => {
    // Every route of `orgRoute` has a caller, and the org in its path; those of readers have a ref.
    const who = await resolve(tx, call as CallContext, input.params as { org: string; ref: string })
    return run(tx, { ...call, ...who }, input, prepared)
  }
}
