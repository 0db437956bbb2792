import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { READINGS } from './readings.ts'
import { type Template, valuesFor } from './template.ts'

// Bare Hono routes that run the statements of one of ours, and answer what it answered: one for each reading, under its
// name. A program of its own: argv: the database, how many connections, the file of templates by operation, the port.

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
      for (const [index, { text, name }] of template.statements.entries()) {
        await client.query({ text, values: values[index] ?? [], ...(name === undefined ? {} : { name }) })
      }
    } finally {
      client.release()
    }
    return new Response(template.answer.body, {
      status: template.answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

const app = new Hono()
for (const [reading, choose] of Object.entries(READINGS)) {
  const read = (given: readonly Template[]) =>
    route(given.map((template) => ({ ...template, statements: [...choose(template.statements)] })))
  const [place, get] = [read(templates.place), read(templates.get)]
  app.post(`/${reading}/v1/orders`, async (context) => {
    await context.req.json()
    return place(context.req.header('authorization'))
  })
  app.get(`/${reading}/v1/orders/:urn`, (context) => get(context.req.header('authorization')))
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ port })}\n`),
)
