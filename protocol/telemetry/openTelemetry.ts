import type { Logger } from 'pino'
import { type BegunSpan, recordSpans, type SpanKind, type SpanStart } from './trace.ts'

/** Either is the address of a collector, as OpenTelemetry's specification of the environment says. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
/** They may hold a password of the collector. */
const HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
/**
 * Unless the environment says otherwise. The SDK's own sampler follows the flag of the caller, who would
 * decide what we see; and its own detectors send the command line and the name of the user.
 */
const DEFAULTS = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_NODE_RESOURCE_DETECTORS: 'env,host,serviceinstance' }
/** How long the last spans may take to leave when the process ends. */
const SHUTDOWN_MS = 3_000

/**
 * Starts OpenTelemetry's Node SDK if the environment names a collector, and records the spans of this
 * process. Without one it loads nothing. `env` is the process's own environment, which the SDK reads. Returns
 * what sends the last spans and ends it; a collector that is away delays nothing else.
 */
export async function startTelemetry(
  service: string,
  log: Logger,
  env: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  if (!ENDPOINTS.some((name) => env[name])) return async () => {}
  for (const [name, value] of Object.entries(DEFAULTS)) env[name] ??= value
  const [{ NodeSDK }, api] = await Promise.all([import('@opentelemetry/sdk-node'), import('@opentelemetry/api')])
  const warn = (message: string) => log.warn({ telemetry: message.slice(0, 500) }, 'OpenTelemetry')
  api.diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const sdk = new NodeSDK({
    serviceName: env.OTEL_SERVICE_NAME || `market-${service}`,
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  for (const name of HEADERS) delete env[name]
  const tracer = api.trace.getTracer('market')
  const kinds: Record<SpanKind, number> = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
  }
  recordSpans((start) => beginSpan(api, tracer, kinds[start.kind], start))
  return async () => {
    recordSpans(undefined)
    const late = AbortSignal.timeout(SHUTDOWN_MS)
    const given = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
    await Promise.race([sdk.shutdown().catch((error: unknown) => warn(String(error))), given])
  }
}

type Api = typeof import('@opentelemetry/api')

function beginSpan(
  { trace, ROOT_CONTEXT, SpanStatusCode }: Api,
  tracer: ReturnType<Api['trace']['getTracer']>,
  kind: number,
  { name, attributes, parent, startedAtMs }: SpanStart,
): BegunSpan {
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.parentId,
        traceFlags: parent.flags,
        isRemote: true,
      })
    : ROOT_CONTEXT
  const span = tracer.startSpan(
    name,
    { kind, attributes, ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }) },
    context,
  )
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    parts: { traceId, parentId: spanId, flags: traceFlags },
    rename: (renamed) => void span.updateName(renamed),
    set: (more) => void span.setAttributes(more),
    end(error) {
      if (error !== undefined) {
        // Not its message, which may quote what somebody wrote.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}
