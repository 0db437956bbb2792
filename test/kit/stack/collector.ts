import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** A span as the collector got it. */
export interface CollectedSpan {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
}

/**
 * A collector of OpenTelemetry's protocol over HTTP, which keeps the spans of the traces that a test asks
 * for.
 */
export interface Collector {
  /** What a process needs to send to it. */
  env: Record<string, string>
  /** Keeps the spans of a trace from now on. */
  follow: (traceId: string) => void
  spansOf: (traceId: string) => CollectedSpan[]
  stop: () => Promise<void>
}

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])))
// The request of the protocol in its JSON form (opentelemetry-proto, ExportTraceServiceRequest).
const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
})

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans = new Map<string, CollectedSpan[]>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
    for (const { resource, scopeSpans } of exportRequest.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name'])
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.get(span.traceId)?.push({ ...span, service, parentSpanId: span.parentSpanId || undefined })
      }
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      // Milliseconds between two exports: a test waits for them.
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    follow: (traceId) => void spans.set(traceId, []),
    spansOf: (traceId) => spans.get(traceId) ?? [],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
