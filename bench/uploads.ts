import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, STATE_DIR } from '../cli/machine/paths.ts'
import { freePort } from '../cli/machine/ports.ts'
import { launch, type ProcessSpec, signal, untilReady } from '../cli/machine/process.ts'
import { type Stack, startStack } from '../test/kit/stack/stack.ts'
import { runningSecondsOf } from './processTime.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'
import { sendBytes } from './uploads/send.ts'
import { visibleRows } from './uploads/visible.ts'

const MEGABYTE = 1_048_576
const LARGE_BYTES = 1_024 * MEGABYTE
const WARM_UP_BYTES = 128 * MEGABYTE
const ROUNDS = 3
const SMALL_BYTES = 262_144
const SMALL = { uploads: 480, inFlight: 16 }
const GOAL = 1.5
/** Beyond what the process holds once it is warm. A body that is kept would be a gigabyte. */
const GROWTH_GOAL_MB = 64
const READY_TIMEOUT_MS = 30_000
const CHUNK = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' }

type Side = 'ours' | 'floor'
interface Round {
  cpuSeconds: number
  seconds: number
}

/**
 * A gigabyte by tus, in one part, beside a server that does nothing but write a body to a file and take its
 * SHA-256, in turns; then small files, sixteen at once, each with the creation of its upload. Before that,
 * while the worker runs: how long until a picture has its previews, and until a text is found.
 */
export async function bench(): Promise<BenchRow[]> {
  const stack = await startStack()
  const folder = await mkdtemp(join(tmpdir(), 'market-bench-'))
  const floor = await startFloor(folder)
  try {
    const upload = await openUploads(stack)
    const visible = await visibleRows(stack.databaseUrl, upload)
    // The worker would read what the following measures only the arrival of; the others have nothing to do.
    for (const name of ['worker', 'indexer', 'facilitator'] as const) await stack.kill(name)
    const sides = {
      ours: { pid: stack.pid('api'), send: upload.large },
      floor: { pid: floor.pid, send: (sizeBytes: number) => sendBytes(floor.url, bodyOf(sizeBytes)) },
    }
    for (const { send } of Object.values(sides)) await send(WARM_UP_BYTES)
    const warmMb = await peakMegabytesOf(sides.ours.pid)
    const rounds: Record<Side, Round>[] = []
    for (let turn = 0; turn < ROUNDS; turn++) {
      const [ours, bare] = [await measure(sides.ours), await measure(sides.floor)]
      rounds.push({ ours, floor: bare })
    }
    const growthMb = (await peakMegabytesOf(sides.ours.pid)) - warmMb
    return [...largeRows(rounds, growthMb), ...(await smallRows(upload.small)), ...visible]
  } finally {
    floor.stop()
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function largeRows(rounds: readonly Record<Side, Round>[], growthMb: number): BenchRow[] {
  const median = (side: Side, figureOf: (round: Round) => number) =>
    percentile(
      rounds.map((round) => figureOf(round[side])),
      0.5,
    )
  const cpu = (side: Side) => median(side, ({ cpuSeconds }) => cpuSeconds)
  // Each is held against what the other took at that very time.
  const ratio = percentile(
    rounds.map(({ ours, floor }) => ours.cpuSeconds / floor.cpuSeconds),
    0.5,
  )
  const seconds = (side: Side) => median(side, (round) => round.seconds)
  return [
    judged(
      { ...beside('1 GiB by tus, CPU of the server', cpu('ours'), cpu('floor'), 's'), ratio },
      `≤ ${GOAL}`,
      ratio <= GOAL,
    ),
    beside('1 GiB by tus, time', seconds('ours'), seconds('floor'), 's'),
    judged(figure('1 GiB by tus, memory grows by', growthMb, 'MB'), `< ${GROWTH_GOAL_MB}`, growthMb < GROWTH_GOAL_MB),
  ]
}

async function smallRows(send: () => Promise<unknown>): Promise<BenchRow[]> {
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const lane = async () => {
    for (let count = 0; count < SMALL.uploads / SMALL.inFlight; count++) {
      const sentMs = performance.now()
      await send()
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: SMALL.inFlight }, lane))
  const perSecond = SMALL.uploads / ((performance.now() - startedMs) / 1000)
  const name = `256 KiB with its creation, ${SMALL.inFlight} at once`
  return [figure(`${name}, p99`, percentile(latenciesMs, 0.99), 'ms'), figure(name, perSecond, 'uploads/s')]
}

interface Measured {
  pid: number
  send: (sizeBytes: number) => Promise<unknown>
}

async function measure({ pid, send }: Measured): Promise<Round> {
  const [cpuBefore, startedMs] = [await runningSecondsOf(pid), performance.now()]
  await send(LARGE_BYTES)
  return { cpuSeconds: (await runningSecondsOf(pid)) - cpuBefore, seconds: (performance.now() - startedMs) / 1000 }
}

/** The most memory that a process has held so far (proc(5)). */
async function peakMegabytesOf(pid: number): Promise<number> {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function bodyOf(sizeBytes: number, headers: Record<string, string> = {}, method = 'POST') {
  return { method, headers, sizeBytes }
}

/**
 * Returns what sends one large file by a creation and one part, one small file with its creation, and a form;
 * and what searches.
 */
async function openUploads({ baseUrl, credentials }: Stack) {
  const authorization = { authorization: `Bearer ${credentials.human_token}` }
  const json = async (path: string, body: object) => {
    const headers = { ...authorization, 'market-version': '2026-05-17', 'content-type': 'application/json' }
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as { id: string }
  }
  await json('/v1/me/orgs', { slug: 'works', display_name: 'Works' })
  const newPage = async () => {
    const { id: space } = await json('/orgs/works/spaces', { name: 'Plans' })
    return json('/orgs/works/pages', { space, title: 'Plan' })
  }
  const { id: page } = await newPage()
  let count = 0
  const creation = (sizeBytes: number) => {
    const values = { org: 'works', page, filename: `${++count}.bin`, insert: 'none' }
    const metadata = Object.entries(values).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    return {
      ...authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(sizeBytes),
      'upload-metadata': metadata.join(','),
    }
  }
  return {
    attach: async (filename: string, bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ page, insert: 'none' })) form.append(name, value)
      form.append('file', new File([bytes], filename))
      const made = await fetch(`${baseUrl}/orgs/works/attachments`, {
        method: 'POST',
        headers: authorization,
        body: form,
      })
      if (!made.ok) throw new Error(`the upload was answered ${made.status}`)
    },
    search: async (words: string) => {
      const found = await fetch(`${baseUrl}/orgs/works/search?q=${words}`, { headers: authorization })
      return ((await found.json()) as { items: unknown[] }).items.length
    },
    small: () => sendBytes(`${baseUrl}/uploads`, bodyOf(SMALL_BYTES, { ...creation(SMALL_BYTES), ...CHUNK })),
    large: async (sizeBytes: number) => {
      const made = await fetch(`${baseUrl}/uploads`, { method: 'POST', headers: creation(sizeBytes) })
      const headers = { ...authorization, ...CHUNK, 'upload-offset': '0' }
      await sendBytes(baseUrl + made.headers.get('location'), bodyOf(sizeBytes, headers, 'PATCH'))
    },
  }
}

async function startFloor(folder: string) {
  const port = await freePort()
  const spec: ProcessSpec = {
    name: 'floor',
    command: process.execPath,
    args: [`${ROOT}bench/uploads/floor.ts`, folder, String(port)],
    env: {},
    stopSignal: 'SIGTERM',
    isReady: async (started) => started.output().includes('"port"'),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: false,
  }
  const started = launch(spec, join(STATE_DIR, `logs/test/bench-${process.pid}-floor.log`))
  await untilReady(spec, started)
  return { url: `http://127.0.0.1:${port}/`, pid: started.pid, stop: () => signal(started, 'SIGKILL') }
}
