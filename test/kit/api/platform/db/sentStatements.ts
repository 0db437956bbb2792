import pg from 'pg'

type Query = (this: pg.Client, ...args: unknown[]) => unknown

/**
 * Returns the texts that this process sends to PostgreSQL while it does something, in order. One at a time.
 */
export async function sentStatements(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: pg.Client, ...args) {
    const [first] = args as [string | { text: string }]
    sent.push(typeof first === 'string' ? first : first.text)
    return original.apply(this, args)
  }
  try {
    await work()
    return sent
  } finally {
    prototype.query = original
  }
}
