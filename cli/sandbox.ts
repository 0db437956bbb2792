import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chainSpec, chainUrl, setChainClock } from './chain.ts'
import { compileContracts } from './compile.ts'
import { answersOk } from './http.ts'
import { STATE_DIR } from './paths.ts'
import { freePort } from './ports.ts'
import { createCluster } from './postgres/cluster.ts'
import { ProcessFailure } from './process.ts'
import type { Step } from './progress.ts'
import { createDatabase, isUsed, prepareDatabase } from './sandboxDatabase.ts'
import { removeSandbox, type SandboxFile, writeSandbox } from './sandboxFile.ts'
import { createIdentity, findIdentity, keepIdentity, type SandboxIdentity } from './sandboxIdentity.ts'
import { apiUrl, SERVICES, type ServiceSettings, serviceSpec } from './services.ts'
import { Supervisor } from './supervisor.ts'

const MINING_INTERVAL_MS = 1_000
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 100

export interface SandboxOptions {
  /** Of the API. */
  port: number
  step: Step
  /** Instead of a Postgres of its own. */
  databaseUrl?: string | undefined
  /** Instead of a chain of its own. */
  rpcUrl?: string | undefined
  onNotice: (notice: string) => void
  onLoss: (failure: ProcessFailure) => void
}

/** A whole market on this machine, its processes supervised. */
export class Sandbox {
  readonly #options: SandboxOptions
  readonly #supervisor: Supervisor

  constructor(options: SandboxOptions) {
    this.#options = options
    this.#supervisor = new Supervisor({ ...options, logDir: join(STATE_DIR, 'logs', String(options.port)) })
  }

  /** Sets everything up and starts it. When this throws, `stop` still has to be called. */
  async start(): Promise<SandboxFile> {
    const { step } = this.#options
    const databaseUrl = this.#options.databaseUrl ?? (await step('Starting Postgres', () => this.#startPostgres()))
    await step('Compiling the contracts', compileContracts)
    const rpcUrl = this.#options.rpcUrl ?? (await step('Starting a chain', () => this.#startChain()))
    const kept = await findIdentity(rpcUrl, databaseUrl)
    if (!kept && (await isUsed(databaseUrl))) {
      throw new Error('DATABASE_URL names the database of a sandbox whose chain is gone. Name an empty one.')
    }
    const facilitatorUrl = await step('Migrating the database', () => prepareDatabase(databaseUrl))
    const identity = kept ?? (await step('Deploying USDC and the Escrow', () => createIdentity(rpcUrl, databaseUrl)))
    // Without a chain and a database of the user's nothing would be left to go on from.
    if (this.#options.rpcUrl && this.#options.databaseUrl) await keepIdentity(rpcUrl, databaseUrl, identity)
    const indexerPort = await freePort()
    const settings = { ...identity, databaseUrl, facilitatorUrl, rpcUrl, apiPort: this.#options.port, indexerPort }
    for (const name of SERVICES) {
      await step(`Starting the ${name}`, () => this.#supervisor.start(serviceSpec(name, settings)))
    }
    await step('Waiting until everything is ready', () => this.#untilReady(settings))
    const file = describe(settings, identity)
    await writeSandbox(file)
    return file
  }

  /** Stops everything, in the reverse order. */
  async stop(): Promise<void> {
    await removeSandbox(apiUrl({ apiPort: this.#options.port }))
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

function describe(settings: ServiceSettings, identity: SandboxIdentity): SandboxFile {
  return {
    base_url: apiUrl(settings),
    console_url: `${apiUrl(settings)}/`,
    rpc_url: settings.rpcUrl,
    database_url: settings.databaseUrl,
    chain_id: identity.deployment.chainId,
    escrow: identity.deployment.escrow,
    token: identity.deployment.token,
    ...identity.credentials,
  }
}
