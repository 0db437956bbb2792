/** A server-sent event. An event without data gives the place that the stream has reached. */
export interface ServerSentEvent {
  id: string
  data: string
}

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from a response's body, as they arrive. Comments and retry
 * times are left out.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  // Uses a reader, because not every browser can iterate over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield readBlock(block)
    }
  } finally {
    await reader.cancel()
  }
}

function readBlock(block: string): ServerSentEvent {
  const fields = block.split('\n').map((line) => /^(id|data): ?(.*)$/.exec(line))
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []))
  return { id: valuesOf('id').at(-1) ?? '', data: valuesOf('data').join('\n') }
}
