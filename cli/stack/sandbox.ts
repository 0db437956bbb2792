import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createFirstEnrolments, type FirstEnrolments } from '../../api/identity/setup/firstEnrolments.ts'
import { answersOk } from '../machine/http.ts'
import { STATE_DIR } from '../machine/paths.ts'
import { freePort } from '../machine/ports.ts'
import { ProcessFailure } from '../machine/process.ts'
import { removeWithUs } from '../machine/reaper.ts'
import { removeSandbox, type SandboxFile, writeSandbox } from '../machine/sandboxFile.ts'
import type { Step } from '../terminal/progress.ts'
import { chainSpec, chainUrl, setChainClock } from './chain.ts'
import { compileContracts } from './compile.ts'
import { buildConsole } from './console.ts'
import { createDatabase, createIndexDatabase, isUsed, prepareDatabases } from './internal/sandboxDatabase.ts'
import { createIdentity, findIdentity, keepIdentity, type SandboxIdentity } from './internal/sandboxIdentity.ts'
import { type DatabaseLock, lockDatabase } from './internal/sandboxLock.ts'
import { Supervisor } from './internal/supervisor.ts'
import { createCluster } from './postgres/cluster.ts'
import { addSdkPackage } from './sdkPackage.ts'
import { apiUrl, blobDirectory, SERVICES, type ServiceSettings, serviceSpec } from './services.ts'

const MINING_INTERVAL_MS = 1_000
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 100

export interface SandboxOptions {
  /** The API's port. */
  port: number
  /** Frees the port, if it is held for the API until that starts. */
  releasePort?: () => Promise<void>
  step: Step
  /** An existing database to use instead of a Postgres of its own. */
  databaseUrl?: string | undefined
  /** An existing database for the index. By default one beside the market's. */
  indexUrl?: string | undefined
  /** An existing chain to use instead of one of its own. */
  rpcUrl?: string | undefined
  /** How long a dispute takes evidence, if not the default ten minutes. */
  evidenceSeconds?: string | undefined
  onNotice: (notice: string) => void
  onLoss: (failure: ProcessFailure) => void
}

// Said of steps that take long.
const WHY = {
  compile: 'what the compiler makes is kept: the next time takes no time',
  migrate: 'two databases get their tables, functions and roles',
  deploy: 'each contract waits for a block of its own',
  build: 'its sources are new: what is built is kept',
  start: 'each loads its packages, and the indexer reads the chain from its beginning',
} as const

/** A complete market on this machine, with supervised processes. */
export class Sandbox {
  readonly #options: SandboxOptions
  readonly #supervisor: Supervisor
  readonly #stopping = new AbortController()
  #lock: DatabaseLock | undefined
  #written = false

  constructor(options: SandboxOptions) {
    this.#options = options
    this.#supervisor = new Supervisor({ ...options, logDir: join(STATE_DIR, 'logs', String(options.port)) })
  }

  /** Sets everything up and starts it. If this throws, `stop` must still be called. */
  async start(): Promise<SandboxFile> {
    const { step, evidenceSeconds } = this.#options
    const databaseUrl = this.#options.databaseUrl ?? (await step('Starting Postgres', () => this.#startPostgres()))
    this.#lock = await lockDatabase(databaseUrl)
    await step('Compiling the contracts', () => compileContracts(this.#stopping.signal), WHY.compile)
    const rpcUrl = this.#options.rpcUrl ?? (await step('Starting a chain', () => this.#startChain()))
    const kept = await findIdentity(rpcUrl, databaseUrl)
    if (!kept && (await isUsed(databaseUrl))) {
      throw new Error('DATABASE_URL names the database of a sandbox whose chain is gone. Name an empty one.')
    }
    const logins = await step(
      'Migrating the databases',
      async () => {
        const indexUrl = this.#options.indexUrl ?? (await createIndexDatabase(databaseUrl))
        return prepareDatabases(databaseUrl, indexUrl, this.#options.onNotice)
      },
      WHY.migrate,
    )
    const deploy = () => step('Deploying USDC and the Escrow', () => createIdentity(rpcUrl, databaseUrl), WHY.deploy)
    const identity = kept ?? (await deploy())
    // The identity is useful later only if the user's own chain and database both remain.
    if (this.#options.rpcUrl && this.#options.databaseUrl) await keepIdentity(rpcUrl, databaseUrl, identity)
    else removeWithUs(blobDirectory(identity))
    const consoleFolder = await step('Building the console', buildConsole, WHY.build)
    await step('Packing the SDK', () => addSdkPackage(consoleFolder))
    const indexerPort = await freePort()
    const settings = {
      ...identity,
      consoleFolder,
      databaseUrl,
      ...logins,
      rpcUrl,
      apiPort: this.#options.port,
      indexerPort,
      ...(evidenceSeconds ? { extra: { DISPUTE_EVIDENCE_SECONDS: evidenceSeconds } } : {}),
    }
    await this.#options.releasePort?.()
    const start = () => Promise.all(SERVICES.map((name) => this.#supervisor.start(serviceSpec(name, settings))))
    await step(`Starting ${SERVICES.join(', ')}`, start, WHY.start)
    await step('Waiting until everything is ready', () => this.#untilReady(settings))
    const enrolments = await createFirstEnrolments(databaseUrl, identity.credentials.human_urn)
    const file = describe(settings, identity, enrolments)
    await writeSandbox(file)
    this.#written = true
    return file
  }

  /** Returns the process ids of everything that runs, by name. */
  pids(): ReadonlyMap<string, number> {
    return this.#supervisor.pids()
  }

  /** Stops everything, in the reverse order. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    // If another sandbox got the port, the port's file belongs to that one.
    if (this.#written) await removeSandbox(apiUrl({ apiPort: this.#options.port }))
    await this.#options.releasePort?.()
    await this.#lock?.release()
    await this.#supervisor.stop()
  }

  async #startPostgres(): Promise<string> {
    const { spec, adminUrl } = await createCluster({ durable: true })
    await this.#supervisor.start(spec)
    return createDatabase(adminUrl)
  }

  async #startChain(): Promise<string> {
    const port = await freePort()
    await this.#supervisor.start(chainSpec({ port, miningIntervalMs: MINING_INTERVAL_MS }))
    const rpcUrl = chainUrl(port)
    await setChainClock(rpcUrl)
    return rpcUrl
  }

  async #untilReady(settings: ServiceSettings): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS
    while (!(await answersOk(`${apiUrl(settings)}/readyz`))) {
      if (performance.now() > deadline) {
        const answer = await fetch(`${apiUrl(settings)}/readyz`)
        throw new ProcessFailure('api', `is not ready after ${READY_TIMEOUT_MS / 1000} s`, await answer.text())
      }
      await delay(READY_POLL_MS)
    }
  }
}

function describe(
  settings: ServiceSettings,
  identity: SandboxIdentity,
  { human, operator, reviewers }: FirstEnrolments,
): SandboxFile {
  const consoleUrl = `${apiUrl(settings)}/console`
  // Browsers do not send a fragment to the server, so no log contains the secret.
  const linkOf = (enrolment: string) => `${consoleUrl}/enrol#${enrolment}`
  return {
    base_url: apiUrl(settings),
    console_url: consoleUrl,
    ...(human ? { human_enrolment_url: linkOf(human) } : {}),
    ...(operator ? { operator_enrolment_url: linkOf(operator) } : {}),
    reviewer_enrolment_urls: reviewers.map(linkOf),
    rpc_url: settings.rpcUrl,
    database_url: settings.databaseUrl,
    chain_id: identity.deployment.chainId,
    escrow: identity.deployment.escrow,
    token: identity.deployment.token,
    ...identity.credentials,
    signing_key: identity.signingKey,
  }
}
