import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { scoreText } from '../api/trading/disputes/screener/score.ts'
import { type Stack, startStack } from '../test/kit/stack/stack.ts'
import { type BenchRow, beside, judged } from './rows.ts'

const PAGES = 8_000
const PROBE_EVERY_MS = 5
const GOAL_SECONDS = 5
/** What a request may wait while an archive is laid out. */
const GOAL_WAIT_MS = 100

/** Texts that made a pattern of the screener slow, each to be repeated. */
const SLOW_TEXTS = [
  ...['\n ', ' ', ' \n', '\u2028', '<!-- a -->', 'aGVsbG8gd29ybGQgYWdhaW4g ', '. ', 'a_b_c_d '],
  'The seller ignored every rule, and I want a full refund. ',
]
const [SHORT, TIMES] = [24_000, 4]
/** Linear work takes four times as long for four times the text, quadratic work sixteen times. */
const GOAL_RATIO = 8

interface Download {
  seconds: number
  slowestOtherMs: number
}

/** Measures the work on texts and lists of users that grew faster than they did. */
export async function bench(): Promise<BenchRow[]> {
  return [...(await archiveRows()), slowestScreening()]
}

/**
 * Downloads the archive of a space whose pages all have one title, beside that of a space whose titles
 * differ, and sends small requests to the same process meanwhile.
 */
async function archiveRows(): Promise<BenchRow[]> {
  const stack = await startStack()
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 })
  try {
    // Nothing but the api serves archives.
    for (const name of ['worker', 'indexer', 'facilitator'] as const) await stack.kill(name)
    const post = poster(stack)
    await post('/v1/me/orgs', { slug: 'works', display_name: 'Works' })
    const spaceOf = async (title: string) => {
      const { id } = await post('/orgs/works/spaces', { name: title })
      await addPages(pool, id, title)
      return id
    }
    const equal = await spaceOf(`'Same'`)
    const different = await spaceOf(`'Page ' || number`)
    await download(stack, different)
    const floor = await download(stack, different)
    const ours = await download(stack, equal)
    const name = `${PAGES} pages of one title`
    return [
      judged(beside(name, ours.seconds, floor.seconds, 's'), `< ${GOAL_SECONDS} s`, ours.seconds < GOAL_SECONDS),
      judged(
        beside('slowest other request meanwhile', ours.slowestOtherMs, floor.slowestOtherMs, 'ms'),
        `< ${GOAL_WAIT_MS} ms`,
        ours.slowestOtherMs < GOAL_WAIT_MS,
      ),
    ]
  } finally {
    await pool.end()
    await stack.stop()
  }
}

function poster({ baseUrl, credentials }: Stack) {
  return async (path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${credentials.human_token}`,
      'market-version': '2026-05-17',
      'content-type': 'application/json',
    }
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as { id: string }
  }
}

/** Adds pages with a title each, an expression of SQL over `number`. */
async function addPages(pool: pg.Pool, spaceId: string, title: string): Promise<void> {
  await pool.query(
    `with page as (
      insert into market.pages (id, short_id, org_id, space_id, title, text, created_by)
      select gen_random_uuid(), left(md5(random()::text), 10), org_id, id, ${title}, 'text', created_by
      from market.spaces, generate_series(1, ${PAGES}) number where id = $1 returning *)
    insert into market.page_versions (page_id, number, org_id, title, text, created_by)
    select id, version, org_id, title, text, created_by from page`,
    [spaceId],
  )
}

async function download({ baseUrl, credentials }: Stack, spaceId: string): Promise<Download> {
  const headers = { authorization: `Bearer ${credentials.human_token}` }
  const startedMs = performance.now()
  let isOver = false
  const archive = async () => {
    const answer = await fetch(`${baseUrl}/orgs/works/spaces/${spaceId}/archive`, { headers })
    if (!answer.ok) throw new Error(`the archive was answered ${answer.status}`)
    await answer.arrayBuffer()
    isOver = true
    return (performance.now() - startedMs) / 1000
  }
  const probe = async () => {
    let slowestMs = 0
    while (!isOver) {
      const sentMs = performance.now()
      await (await fetch(`${baseUrl}/healthz`)).arrayBuffer()
      slowestMs = Math.max(slowestMs, performance.now() - sentMs)
      await delay(PROBE_EVERY_MS)
    }
    return slowestMs
  }
  const [seconds, slowestOtherMs] = await Promise.all([archive(), probe()])
  return { seconds, slowestOtherMs }
}

/** Screens each text beside one of a quarter of its length, and returns the worst. */
function slowestScreening(): BenchRow {
  const cpuMs = (text: string) => {
    const before = process.cpuUsage()
    scoreText(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const [worst] = SLOW_TEXTS.map((piece) => {
    const [short, long] = [piece.repeat(SHORT / piece.length), piece.repeat((SHORT * TIMES) / piece.length)]
    // V8 compiles the patterns first.
    cpuMs(short)
    return beside(`screening a text of ${TIMES} times the length, worst`, cpuMs(long), cpuMs(short), 'ms')
  }).toSorted((one, other) => (other.ratio ?? 0) - (one.ratio ?? 0))
  if (!worst) throw new Error('there are no texts')
  return judged(worst, `< ${GOAL_RATIO} times`, (worst.ratio ?? 0) < GOAL_RATIO)
}
