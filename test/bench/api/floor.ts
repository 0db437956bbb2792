import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import pg from 'pg'
import { type Template, valuesFor } from './template.ts'

// Bare Hono routes that run the statements of one of ours, one after the other, and answer what it answered. A program of its
// own: argv: the database, how many connections, the file of templates by operation, the port.

const [databaseUrl, connections, file = '', port] = process.argv.slice(2)
const templates = JSON.parse(readFileSync(file, 'utf8')) as Record<'place' | 'get', Template[]>
const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(connections) })

const route = (given: readonly Template[]) => {
  const byCaller = new Map(given.map((each) => [each.authorization, { ...each, body: JSON.parse(each.answer.body) }]))
  return async (context: Context) => {
    const template = byCaller.get(context.req.header('authorization') ?? '')
    if (!template) throw new Error('no template of this caller')
    await run(template)
    return new Response(JSON.stringify(template.body), {
      status: template.answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

async function run(template: Template): Promise<void> {
  const values = valuesFor(template)
  const client = await pool.connect()
  try {
    for (const [index, { text }] of template.statements.entries()) await client.query(text, values[index] ?? [])
  } finally {
    client.release()
  }
}

const app = new Hono()
const [place, get] = [route(templates.place), route(templates.get)]
app.post('/v1/orders', async (context) => {
  await context.req.json()
  return place(context)
})
app.get('/v1/orders/:urn', get)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ port })}\n`),
)
