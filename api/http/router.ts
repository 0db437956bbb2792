import type { Params, Result, Router } from 'hono/router'

interface Branch<Handler> {
  named: Map<string, Branch<Handler>>
  parameter?: Branch<Handler>
  /** By method, each with the names of the parameters on the way to it. */
  handlers: Map<string, readonly [handler: Handler, names: readonly string[]]>
}

const ANY_METHOD = 'ALL'

/**
 * Finds the one handler of a path: segment by segment, a name before a parameter (`:name`), the method's own before that
 * of all. Hono's fast router takes no name beside a parameter, and its other one costs more than all else that Hono does.
 */
export class SegmentRouter<Handler> implements Router<Handler> {
  readonly name = 'SegmentRouter'
  readonly #root: Branch<Handler> = newBranch()

  add(method: string, path: string, handler: Handler): void {
    const names: string[] = []
    let branch = this.#root
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1))
        branch.parameter ??= newBranch()
        branch = branch.parameter
      } else {
        const next = branch.named.get(segment) ?? newBranch<Handler>()
        branch.named.set(segment, next)
        branch = next
      }
    }
    if (branch.handlers.has(method)) throw new Error(`${method} ${path} is routed twice`)
    branch.handlers.set(method, [handler, names])
  }

  match(method: string, path: string): Result<Handler> {
    const values: string[] = []
    const branch = find(this.#root, path.slice(1).split('/'), values)
    const [handler, names] = branch?.handlers.get(method) ?? branch?.handlers.get(ANY_METHOD) ?? []
    if (handler === undefined || names === undefined) return [[]]
    const params: Params = {}
    names.forEach((name, index) => {
      params[name] = values[index] ?? ''
    })
    return [[[handler, params]]]
  }
}

function newBranch<Handler>(): Branch<Handler> {
  return { named: new Map(), handlers: new Map() }
}

function find<Handler>(
  from: Branch<Handler>,
  segments: readonly string[],
  values: string[],
  at = 0,
): Branch<Handler> | undefined {
  const segment = segments[at]
  if (segment === undefined) return from.handlers.size > 0 ? from : undefined
  const next = from.named.get(segment)
  const found = next && find(next, segments, values, at + 1)
  if (found || segment === '' || !from.parameter) return found
  const taken = values.length
  values.push(segment)
  const behind = find(from.parameter, segments, values, at + 1)
  if (!behind) values.length = taken
  return behind
}
