import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import pg from 'pg'
import { getStatements, placeStatements, type Sale } from './yardstick.ts'

// Bare Hono routes that run the yardstick's statements, one after the other, and answer what ours answered. A
// program of its own: argv: the database, how many connections, the file of sales, the port.

const [databaseUrl, connections, file = '', port] = process.argv.slice(2)
const sales = new Map((JSON.parse(readFileSync(file, 'utf8')) as Sale[]).map((sale) => [sale.authorization, sale]))
const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(connections) })

async function answer(context: Context, operation: 'place' | 'get'): Promise<Response> {
  const sale = sales.get(context.req.header('authorization') ?? '')
  if (!sale) throw new Error('nothing is sold to this caller')
  const client = await pool.connect()
  try {
    const statements = operation === 'place' ? placeStatements(sale) : getStatements(sale)
    for (const [text, values] of statements) await client.query(text, values)
  } finally {
    client.release()
  }
  const { status, body } = sale.answers[operation]
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

const app = new Hono()
app.post('/v1/orders', async (context) => {
  await context.req.json()
  return answer(context, 'place')
})
app.get('/v1/orders/:urn', (context) => answer(context, 'get'))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ port })}\n`),
)
