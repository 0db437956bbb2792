import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import pg from 'pg'
import { READINGS } from './readings.ts'
import { type Template, valuesFor } from './template.ts'

// Bare Hono routes that run the statements of one of ours, and answer what it answered: one for each reading, under its
// name. A program of its own: argv: the database, how many connections, the file of templates by operation, the port.

const [databaseUrl, connections, file = '', port] = process.argv.slice(2)
const templates = JSON.parse(readFileSync(file, 'utf8')) as Record<'place' | 'get', Template[]>
const [pool, pipelinedPool] = [openPool(false), openPool(true)]

const route = (given: readonly Template[], run: (template: Template) => Promise<void>) => {
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

async function oneByOne(template: Template): Promise<void> {
  const values = valuesFor(template)
  const client = await pool.connect()
  try {
    for (const [index, { text, name }] of template.statements.entries()) {
      await client.query({ text, values: values[index] ?? [], ...(name === undefined ? {} : { name }) })
    }
  } finally {
    client.release()
  }
}

async function together(template: Template): Promise<void> {
  const values = valuesFor(template)
  const client = await pipelinedPool.connect()
  try {
    const { statements } = template
    for (let turn = 0; turn <= (statements.at(-1)?.turn ?? 0); turn++) {
      const runs = statements.flatMap(({ text, name, turn: its }, index) =>
        its === turn
          ? [client.query({ text, values: values[index] ?? [], ...(name === undefined ? {} : { name }) })]
          : [],
      )
      await Promise.all(runs)
    }
  } finally {
    client.release()
  }
}

function openPool(pipeline: boolean): pg.Pool {
  // No reading pays for the others' turns with connections of its own that were closed meanwhile.
  return new pg.Pool({ connectionString: databaseUrl, max: Number(connections), pipeline, idleTimeoutMillis: 0 })
}

const app = new Hono()
for (const [reading, { choose, isTogether }] of Object.entries(READINGS)) {
  const read = (given: readonly Template[]) => {
    const chosen = given.map((template) => ({ ...template, statements: [...choose(template.statements)] }))
    return route(chosen, isTogether ? together : oneByOne)
  }
  const [place, get] = [read(templates.place), read(templates.get)]
  app.post(`/${reading}/v1/orders`, async (context) => {
    await context.req.json()
    return place(context)
  })
  app.get(`/${reading}/v1/orders/:urn`, get)
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ port })}\n`),
)
