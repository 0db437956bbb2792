import { Hono } from 'hono'

// Ponder wants an application here. It adds /health, /ready, /status and /metrics, which are all we serve.
// biome-ignore lint/style/noDefaultExport: Ponder looks for the default export.
export default new Hono()
