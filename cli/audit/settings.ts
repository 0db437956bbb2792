import { getAddress } from 'viem'
import { z } from 'zod'
import { getPublicConfig } from '../../api/config/routes.ts'
import { getLiabilities } from '../../api/liabilities/routes.ts'
import type { Published } from '../../audit/audit.ts'
import type { ToldFees } from '../../audit/fees.ts'
import { addressVariable } from '../../protocol/environment.ts'
import { signedFeeSchedule } from '../../protocol/fees.ts'
import { ApiProblem, createClient } from '../../sdk/client.ts'
import { readSandbox } from '../sandboxFile.ts'
import { readJson } from './file.ts'
import type { AuditValues } from './options.ts'
import { readRecords } from './records.ts'

const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('Ed25519'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
    }),
  ),
})
/** What an audit takes of GET /v1/config/public. */
const publicConfig = z.object({
  escrow_contract: z.string(),
  hot_wallet: z.string(),
  // What was saved before there was one does not name it.
  cold_wallet: z.string().nullish(),
  token: z.object({ address: z.string() }),
  start_block: z.int(),
  rules: z.object({ fee_bps: z.int() }),
  // What was saved before there was a list has one fee.
  fees: signedFeeSchedule.optional(),
  keys: jwks,
})

/** Reads what the options name: files first, then the service, where there is one to ask. Throws for what is missing. */
export async function readSettings(values: AuditValues) {
  const sandbox = values['rpc-url'] ? undefined : await readSandbox()
  const rpcUrl = values['rpc-url'] ?? sandbox?.rpc_url
  if (!rpcUrl)
    throw new Error('There is no running sandbox: name a node with --rpc-url. ./market audit --help tells more.')
  const baseUrl = values['base-url'] ?? sandbox?.base_url
  const config = await readConfig(values, baseUrl)
  const need = <Value>(value: Value | undefined, option: string) => {
    if (value === undefined) throw new Error(`--${option} is needed, or a --config or --base-url to read it from`)
    return value
  }
  const target = {
    escrow: addressVariable.parse(need(values.escrow ?? config?.escrow_contract, 'escrow')),
    hotWallet: addressVariable.parse(need(values['hot-wallet'] ?? config?.hot_wallet, 'hot-wallet')),
    token: getAddress(need(values.token ?? config?.token.address, 'token')),
    fromBlock: BigInt(need(values['from-block'] ?? config?.start_block, 'from-block')),
    ...(values['to-block'] ? { toBlock: BigInt(values['to-block']) } : {}),
  }
  const published: Published = {
    fees: need(toldFees(values, config), 'fee-bps'),
    keys: (values.keys ? await readJson(values.keys, jwks) : config?.keys)?.keys ?? [],
    ...(await readRecords(values, () => newestRoot(baseUrl))),
    coldWallets: (values['cold-wallet'] ?? (config?.cold_wallet ? [config.cold_wallet] : [])).map((wallet) =>
      addressVariable.parse(wallet),
    ),
  }
  return { rpcUrl, target, published }
}

/** One fee that the options name, or the signed list. What was saved before there was one has a single fee. */
function toldFees(
  { 'fee-bps': named }: AuditValues,
  config: z.infer<typeof publicConfig> | undefined,
): ToldFees | undefined {
  if (named !== undefined) return { feeBps: Number(named) }
  if (config?.fees) return { signed: config.fees }
  return config && { feeBps: config.rules.fee_bps }
}

async function readConfig(values: AuditValues, baseUrl: string | undefined) {
  if (values.config) return readJson(values.config, publicConfig)
  return baseUrl ? (await createClient({ baseUrl }).call(getPublicConfig, {})).body : undefined
}

/** What the service published last, if it has anything to show. */
async function newestRoot(baseUrl: string | undefined) {
  if (!baseUrl) return []
  try {
    return [(await createClient({ baseUrl }).call(getLiabilities, {})).body]
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return []
    throw error
  }
}
