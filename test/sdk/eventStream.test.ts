import { describe, it } from 'node:test'
import { expect } from 'chai'
import { readEventStream, type ServerSentEvent } from '../../sdk/eventStream.ts'

describe('server-sent events', () => {
  /** Reads a stream that arrives in these parts, the first so many of its events. */
  const read = async (parts: readonly (string | Uint8Array)[], most = 100) => {
    let isCancelled = false
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
        if (most === 100) controller.close()
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const events: ServerSentEvent[] = []
    for await (const event of readEventStream(body)) if (events.push(event) === most) break
    return { events, isCancelled }
  }
  const eventsOf = async (...parts: (string | Uint8Array)[]) => (await read(parts)).events

  it('have their id and their data, of one line or more, wherever the stream was cut', async () => {
    const text = 'id: 1\nevent: x\ndata: {"a":\ndata:1}\n\nid: 1\ndata: b\nid: 2\n\n'
    const events = [
      { id: '1', data: '{"a":\n1}' },
      { id: '2', data: 'b' },
    ]
    expect(await eventsOf(text)).to.deep.equal(events)
    expect(await eventsOf(...text)).to.deep.equal(events)
  })

  it('tell a place by an id without data; of a comment there is neither, and what was cut off is left out', async () => {
    const events = [
      { id: '7', data: '' },
      { id: '', data: '' },
    ]
    expect(await eventsOf('id: 7\n\n: keep-alive\n\nid: 8\ndata: half')).to.deep.equal(events)
    expect(await eventsOf('xid: 7\n\n data: 1\n\n')).to.deep.equal([events[1], events[1]])
    expect(await eventsOf('id:\ndata:\n\n')).to.deep.equal([events[1]])
    expect(await eventsOf()).to.deep.equal([])
  })

  it('keep a letter whose bytes came in two parts', async () => {
    const [first, second] = [...Buffer.from('é')] as [number, number]
    const parts = [Buffer.from('data: '), Uint8Array.of(first), Uint8Array.of(second), Buffer.from('\n\n')]
    expect(await eventsOf(...parts)).to.deep.equal([{ id: '', data: 'é' }])
  })

  it('let their stream go as soon as nobody reads on', async () => {
    expect(await read(['id: 1\n\nid: 2\n\n'], 1)).to.deep.equal({ events: [{ id: '1', data: '' }], isCancelled: true })
  })
})
