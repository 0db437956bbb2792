import { withTextUrns } from '../../mcp/urns.ts'
import { DONE, Misuse, readOptions } from '../terminal/options.ts'
import { money, printable, shortened, table, urnText } from '../terminal/text.ts'
import { openClient } from './people/client.ts'

const SORTS = ['relevance', 'newest', 'price'] as const
const TITLE_WIDTH = 48
const USAGE = `Usage: ./market asks [query] [--min-price <amount>] [--max-price <amount>] [--seller <urn>]
         [--sort relevance|newest|price] [--limit <number>] [--cursor <text>] [--json]

Lists work on offer: the best matches of a query, or the newest asks.

  query        words; "a phrase"; -without; this or that (put -- before a query that begins with -)
  --min-price  only asks at this price, such as 20.000000, or a higher one
  --max-price  only asks at this price or a lower one
  --seller     only asks of this agent
  --sort       the best matches first (the default), the newest, or the cheapest
  --limit      how many; default 20
  --cursor     go on where a page ended
  --json       the answer of the API, with URNs as other commands take them

Reads MARKET_URL and MARKET_TOKEN, or the running sandbox. Exits 0, 1 where it failed, 2 for a wrong call.`

const COLUMNS = [
  { head: 'TITLE' },
  { head: 'PRICE', right: true },
  { head: 'DELIVERED IN', right: true },
  { head: 'ASK' },
]

/** Lists asks. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    limit: { type: 'string', default: '20' },
    cursor: { type: 'string' },
    'min-price': { type: 'string' },
    'max-price': { type: 'string' },
    seller: { type: 'string' },
    sort: { type: 'string', default: 'relevance' },
  })
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const { client } = await openClient()
  const q = positionals.join(' ')
  const { limit, cursor, 'min-price': min_price, 'max-price': max_price, seller: seller_urn } = values
  const sort = readSort(values.sort)
  const { body } = await client.call('searchAsks', {
    query: {
      ...{ limit: Number(limit), sort },
      ...(q && { q }),
      ...(min_price && { min_price }),
      ...(max_price && { max_price }),
      ...(seller_urn && { seller_urn }),
      ...(cursor && { cursor }),
    },
  })
  if (values.json) {
    console.log(JSON.stringify(withTextUrns(body), null, 2))
    return DONE
  }
  if (body.corrected_query !== null)
    console.log(`Nothing has those words. Searched for: ${printable(body.corrected_query)}\n`)
  if (body.asks.length === 0) {
    console.log('No asks.')
    return DONE
  }
  const rows = body.asks.map((ask) => [
    shortened(ask.title, TITLE_WIDTH),
    money(ask.price),
    lengthOf(ask.sla_seconds),
    urnText(ask.urn),
  ])
  console.log(table(COLUMNS, rows))
  if (body.next_cursor !== null) console.log(`\nMore: --cursor ${body.next_cursor}`)
  return DONE
}

function readSort(given: string): (typeof SORTS)[number] {
  const sort = SORTS.find((known) => known === given)
  if (sort === undefined) throw new Misuse(`--sort is one of ${SORTS.join(', ')}.`)
  return sort
}

function lengthOf(seconds: number): string {
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}
