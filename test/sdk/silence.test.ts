import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { followEvents } from '../../sdk/events.ts'

describe('a connection that events arrive on', { timeout: 20_000 }, () => {
  it('is replaced when it was silent for 45 seconds, and not while anything arrives', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const silent: typeof fetch = async (_url, init) => {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        streams.push(controller)
        init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
      }
      return new Response(new ReadableStream<Uint8Array>({ start }))
    }
    const abort = new AbortController()
    const next = followEvents({ baseUrl: 'http://localhost', fetch: silent, signal: abort.signal }).next()
    const pass = async (seconds: number) => {
      for (let turns = 0; turns < 5; turns++) await turn()
      context.mock.timers.tick(seconds * 1_000)
      for (let turns = 0; turns < 5; turns++) await turn()
    }
    for (let time = 0; time < 3; time++) {
      await pass(44)
      streams[0]?.enqueue(new TextEncoder().encode(': still here\n\n'))
    }
    await pass(44)
    expect(streams).to.have.length(1)
    await pass(1)
    // The next is tried within half a second.
    await pass(1)
    expect(streams).to.have.length(2)
    abort.abort()
    expect(await next).to.deep.equal({ value: undefined, done: true })
  })

  it('is tried again after a refusal that passes, and not after any other', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const triesAfter = async (status: number) => {
      let tries = 0
      const refusing: typeof fetch = async () => Response.json({}, { status: tries++ === 0 ? status : 401 })
      const next = followEvents({ baseUrl: 'http://localhost', fetch: refusing }).next()
      const ended = next.then(
        () => 0,
        (error: { status: number }) => error.status,
      )
      for (let turns = 0; turns < 5; turns++) await turn()
      context.mock.timers.tick(1_000)
      expect(await ended).to.equal(tries === 1 ? status : 401)
      return tries
    }
    for (const status of [408, 429, 500, 503]) expect(await triesAfter(status), `${status}`).to.equal(2)
    for (const status of [400, 403, 404, 409, 410, 499]) expect(await triesAfter(status), `${status}`).to.equal(1)
  })
})
