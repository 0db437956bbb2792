import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { z } from 'zod'
import { bootstrap } from '../../../api/identity/setup/bootstrap.ts'
import { reactions } from '../../../api/reactions.ts'
import { deploySandbox, type SandboxDeployment } from '../../../ignition/deploySandbox.ts'
import { sandboxAccounts } from '../../../ignition/sandboxAccounts.ts'
import { addressVariable } from '../../../protocol/environment/environment.ts'
import { STATE_DIR } from '../../machine/paths.ts'
import { chainSettings } from '../services.ts'

const KEY_BYTES = 32

const identity = z.object({
  deployment: z.object({
    chainId: z.number(),
    token: addressVariable,
    tokenNames: z.object({ name: z.string(), version: z.string() }),
    escrow: addressVariable,
    startBlock: z.string().transform(BigInt),
  }),
  secretKey: z.string(),
  signingKey: z.string(),
  credentials: z.object({
    operator_token: z.string(),
    reviewer_tokens: z.array(z.string()).optional(),
    human_urn: z.string(),
    human_token: z.string(),
  }),
})

/** The identity of a sandbox: its contracts, its keys, its first credentials. */
export type SandboxIdentity = Omit<z.output<typeof identity>, 'deployment'> & { deployment: SandboxDeployment }

/** Creates a new sandbox: deploys the contracts and creates the first accounts in a migrated database. */
export async function createIdentity(rpcUrl: string, databaseUrl: string): Promise<SandboxIdentity> {
  const deployment = await deploySandbox({ rpcUrl })
  return {
    deployment,
    secretKey: randomBytes(KEY_BYTES).toString('hex'),
    signingKey: randomBytes(KEY_BYTES).toString('hex'),
    credentials: await bootstrap(databaseUrl, { chain: chainSettings(deployment), reactions }),
  }
}

/** Returns the sandbox last run on this chain and database, if the chain still has its contracts. */
export async function findIdentity(rpcUrl: string, databaseUrl: string): Promise<SandboxIdentity | undefined> {
  const text = await readFile(await fileOf(rpcUrl, databaseUrl), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const kept = identity.parse(JSON.parse(text))
  const code = await createPublicClient({ transport: http(rpcUrl), ccipRead: false }).getCode({
    address: kept.deployment.escrow,
  })
  return code ? { ...kept, deployment: { ...kept.deployment, accounts: sandboxAccounts() } } : undefined
}

/**
 * Stores a sandbox for the next run on the same chain and database. The file contains secrets: only its owner
 * may read it.
 */
export async function keepIdentity(rpcUrl: string, databaseUrl: string, kept: SandboxIdentity): Promise<void> {
  const file = await fileOf(rpcUrl, databaseUrl)
  const { accounts: _, ...deployment } = kept.deployment
  const plain = { ...kept, deployment: { ...deployment, startBlock: String(deployment.startBlock) } }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(plain, null, 2), { mode: 0o600 })
}

// A chain is identified by its first block: a restarted in-memory chain is a different one.
async function fileOf(rpcUrl: string, databaseUrl: string): Promise<string> {
  const genesis = await createPublicClient({ transport: http(rpcUrl), ccipRead: false }).getBlock({ blockNumber: 0n })
  const hash = createHash('sha256').update(`${genesis.hash} ${databaseUrl}`).digest('hex')
  return join(STATE_DIR, 'sandboxes', `${hash}.json`)
}
