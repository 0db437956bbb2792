import type { Operation } from './document.ts'
import { expectDeclared, isTaken } from './judge.ts'

/**
 * Holds every answer that this process is given by an API to its contract from now on, whoever asks for it, and notes which
 * operations did what they were asked to. Answers a function that ends it.
 */
export function witness(baseUrl: string, operations: readonly Operation[], taken: Set<string>): () => void {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init)
    const { origin, pathname } = new URL(response.url)
    if (origin !== baseUrl) return response
    const method = response.redirected ? 'GET' : (init?.method ?? 'GET').toUpperCase()
    const operation = operationAt(operations, method, pathname)
    if (!operation) return response
    const { status, headers } = response
    const body = await readBody(response.clone())
    const version = new Headers(init?.headers).get('market-version') ?? undefined
    const told = `${operation.id} → ${status} ${JSON.stringify(body).slice(0, 800)}`
    expectDeclared(operation, { status, headers, body: body as never }, { version, told })
    if (isTaken({ status })) taken.add(operation.id)
    return response
  }
  return () => {
    globalThis.fetch = plain
  }
}

function operationAt(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const there = operations.filter((each) => each.method === method && patternOf(each.path).test(path))
  // One whose path is written out comes before one that names something in its place.
  return there.find((each) => each.path === path) ?? there[0]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}
