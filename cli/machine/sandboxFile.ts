import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { STATE_DIR } from './paths.ts'

const FILE = join(STATE_DIR, 'sandbox.json')

const sandboxFile = z.object({
  base_url: z.string(),
  console_url: z.string(),
  /** Links for making a passkey, each usable once; absent for a person who has one. */
  human_enrolment_url: z.string().optional(),
  operator_enrolment_url: z.string().optional(),
  reviewer_enrolment_urls: z.array(z.string()).optional(),
  rpc_url: z.string(),
  database_url: z.string(),
  chain_id: z.number(),
  escrow: z.string(),
  token: z.string(),
  operator_token: z.string(),
  /** Absent in the file of a sandbox of an earlier version. */
  reviewer_tokens: z.array(z.string()).optional(),
  human_urn: z.string(),
  human_token: z.string(),
  /** Absent in the file of a sandbox of an earlier version. */
  signing_key: z.string().optional(),
})

/** The running sandbox's URL and its first credentials. */
export type SandboxFile = z.output<typeof sandboxFile>

/** Returns the running sandbox, the last started if there are several. Undefined if there is none. */
export async function readSandbox(): Promise<SandboxFile | undefined> {
  const sandbox = await read(FILE)
  return sandbox && (await isRunning(sandbox)) ? sandbox : undefined
}

/** Writes .market/sandbox.json, and a copy that remains when another sandbox starts. */
export async function writeSandbox(sandbox: SandboxFile): Promise<void> {
  await write(copyOf(sandbox.base_url), sandbox)
  await write(FILE, sandbox)
}

/** Removes a sandbox's copy. .market/sandbox.json then names another running sandbox, or is removed too. */
export async function removeSandbox(baseUrl: string): Promise<void> {
  await rm(copyOf(baseUrl), { force: true })
  if ((await read(FILE))?.base_url !== baseUrl) return
  const other = (await readCopies()).find((sandbox) => sandbox !== undefined)
  await (other ? write(FILE, other) : rm(FILE, { force: true }))
}

async function readCopies(): Promise<(SandboxFile | undefined)[]> {
  const names = (await readdir(STATE_DIR)).filter((name) => /^sandbox-\d+\.json$/.test(name))
  const sandboxes = await Promise.all(names.map((name) => read(join(STATE_DIR, name))))
  return Promise.all(sandboxes.map(async (sandbox) => (sandbox && (await isRunning(sandbox)) ? sandbox : undefined)))
}

/**
 * Returns whether a sandbox runs. One that answers late does: where none is, the port refuses the connection.
 */
export async function isRunning({ base_url }: Pick<SandboxFile, 'base_url'>, patienceMs = 2_000): Promise<boolean> {
  try {
    return (await fetch(new URL('/healthz', base_url), { signal: AbortSignal.timeout(patienceMs) })).ok
  } catch (error) {
    return (error as Error).name === 'TimeoutError'
  }
}

async function read(file: string): Promise<SandboxFile | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : sandboxFile.parse(JSON.parse(text))
}

// It contains credentials: only its owner may read it.
async function write(file: string, sandbox: SandboxFile): Promise<void> {
  const partial = `${file}.${process.pid}`
  await writeFile(partial, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  await rename(partial, file)
}

function copyOf(baseUrl: string): string {
  return join(STATE_DIR, `sandbox-${new URL(baseUrl).port}.json`)
}
