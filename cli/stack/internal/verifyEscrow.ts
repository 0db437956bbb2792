import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import solc from 'solc'
import { type Address, createPublicClient, type Hex } from 'viem'
import { type CodeMatch, matchCode } from '../../../audit/escrowCode.ts'
import type { EscrowBuild } from '../../../audit/immutables.ts'
import { readEscrowChainId } from '../../../protocol/payments/escrowChainId.ts'
import { nodeTransport } from '../../../protocol/rpc/rpc.ts'
import { ROOT } from '../../machine/paths.ts'
import { compileContracts } from '../compile.ts'

const ARTIFACT = 'artifacts/contracts/Escrow.sol/Escrow.json'
const OUTPUT = ['evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences']
const NPM_SOURCE = /^npm\/((?:@[^/]+\/)?[^@/]+)@[^/]+\//

/** What a verification found. */
export interface VerifiedEscrow {
  chainId: number
  /** The chain id in the ids of the escrow's holds, if the escrow reports one. */
  escrowChainId: number | undefined
  match: CodeMatch
}

interface StandardInput {
  language: string
  sources: Record<string, { content: string }>
  settings: Record<string, unknown>
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: Code } }>>
}

interface Code {
  object: string
  immutableReferences: EscrowBuild['immutableReferences']
}

/**
 * Compiles the Escrow again, past what earlier builds left, and compares it with the code that stands at an
 * address. Throws an Error if there is no code, or the sources do not compile.
 */
export async function verifyEscrow(rpcUrl: string, escrow: Address): Promise<VerifiedEscrow> {
  const client = createPublicClient({ transport: nodeTransport(rpcUrl, { retryCount: 3 }), ccipRead: false })
  const [chainId, code] = await Promise.all([client.getChainId(), client.getCode({ address: escrow })])
  if (code === undefined) throw new Error(`There is no contract at ${escrow} on chain ${chainId}.`)
  const escrowChainId = await readEscrowChainId(client, escrow)
  return { chainId, escrowChainId, match: matchCode(code, await compileEscrow()) }
}

/** The names of the sources and the settings are those of the build; the sources are read again. */
async function compileEscrow(): Promise<EscrowBuild> {
  await compileContracts()
  const { buildInfoId, inputSourceName } = await readJson<{ buildInfoId: string; inputSourceName: string }>(ARTIFACT)
  const { input } = await readJson<{ input: StandardInput }>(`artifacts/build-info/${buildInfoId}.json`)
  const sources = await Promise.all(Object.keys(input.sources).map(async (name) => [name, await readSource(name)]))
  const settings = { ...input.settings, outputSelection: { [inputSourceName]: { Escrow: OUTPUT } } }
  const compiled = solc.compile(JSON.stringify({ ...input, sources: Object.fromEntries(sources), settings }))
  const { errors = [], contracts = {} }: Output = JSON.parse(compiled)
  const found = contracts[inputSourceName]?.Escrow?.evm.deployedBytecode
  if (!found) throw new Error(`The Escrow does not compile:\n${errors.map((error) => error.formattedMessage).join('')}`)
  const deployedBytecode: Hex = `0x${found.object}`
  return { deployedBytecode, immutableReferences: found.immutableReferences }
}

async function readSource(name: string): Promise<{ content: string }> {
  const path = name.replace(/^project\//, '').replace(NPM_SOURCE, 'node_modules/$1/')
  return { content: await readFile(join(ROOT, path), 'utf8') }
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(join(ROOT, path), 'utf8'))
}
