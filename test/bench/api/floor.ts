import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { type Template, valuesFor } from './template.ts'

// A bare Hono route that runs the statements of one of ours, and answers what it answered. A program of its own:
// argv: the database, how many connections, the file of templates by operation, the port.

const [databaseUrl, connections, file = '', port] = process.argv.slice(2)
const templates = JSON.parse(readFileSync(file, 'utf8')) as Record<'place' | 'get', Template[]>
const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(connections) })

const route = (given: readonly Template[]) => {
  const byCaller = new Map(given.map((template) => [template.authorization, template]))
  return async (authorization: string | undefined) => {
    const template = byCaller.get(authorization ?? '')
    if (!template) throw new Error('no template of this caller')
    const values = valuesFor(template)
    const client = await pool.connect()
    try {
      for (const [index, { text }] of template.statements.entries()) await client.query(text, values[index])
    } finally {
      client.release()
    }
    return new Response(template.answer.body, {
      status: template.answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}
const place = route(templates.place)
const get = route(templates.get)

const app = new Hono()
app.post('/v1/orders', async (context) => {
  await context.req.json()
  return place(context.req.header('authorization'))
})
app.get('/v1/orders/:urn', (context) => get(context.req.header('authorization')))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ port })}\n`),
)
