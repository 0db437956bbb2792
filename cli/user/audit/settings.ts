import { getAddress, type Hex, isHex } from 'viem'
import { z } from 'zod'
import type { ColdWallet } from '../../../audit/coldWallets.ts'
import type { ToldFees } from '../../../audit/fees.ts'
import type { Published } from '../../../audit/published.ts'
import { parseAmount } from '../../../protocol/encoding/amounts.ts'
import { addressVariable } from '../../../protocol/environment/environment.ts'
import { SIGNING_PURPOSES } from '../../../protocol/keys/signing.ts'
import { signedFeeSchedule } from '../../../protocol/payments/fees.ts'
import { createMarket } from '../../../sdk/market.ts'
import { readSandbox } from '../../machine/sandboxFile.ts'
import { readJson } from '../../terminal/jsonFile.ts'
import { readAppeals } from './appeals.ts'
import { readEscrowBuild } from './escrowBuild.ts'
import { newestRoot } from './internal/newestRoot.ts'
import { readRecords } from './internal/records.ts'
import { sandboxReceipts } from './internal/sandboxReceipts.ts'
import type { AuditValues } from './options.ts'

const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('Ed25519'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
      purpose: z.enum(SIGNING_PURPOSES).optional(),
      valid_from: z.iso.datetime().optional(),
      valid_until: z.iso.datetime().optional(),
    }),
  ),
})
/** The members of GET /v1/config/public that an audit reads. */
const publicConfig = z.object({
  sandbox: z.boolean().optional(),
  escrow_contract: z.string(),
  hot_wallet: z.string(),
  // Absent in configurations saved by older versions.
  cold_wallet: z.string().nullish(),
  cold_wallet_proof: z.string().nullish(),
  token: z.object({ address: z.string() }),
  base_url: z.url().optional(),
  start_block: z.int(),
  rules: z.object({
    fee_bps: z.int(),
    liability_seconds: z.int().min(1).optional(),
    x402_max_amount: z.string().optional(),
  }),
  // Configurations saved by older versions have one fee instead.
  fees: signedFeeSchedule.optional(),
  keys: jwks,
})

type Config = z.infer<typeof publicConfig>

const signature = z.custom<Hex>((value) => isHex(value), 'a cold wallet’s proof must be 0x and hex')

/**
 * Reads the settings that the options name: from files first, then from the service, if any. Throws if one is
 * missing.
 */
export async function readSettings(values: AuditValues) {
  const sandbox = values['rpc-url'] ? undefined : await readSandbox()
  const rpcUrl = values['rpc-url'] ?? sandbox?.rpc_url
  if (!rpcUrl)
    throw new Error('There is no running sandbox: name a node with --rpc-url. ./market audit --help tells more.')
  const baseUrl = values['base-url'] ?? sandbox?.base_url
  const config = await readConfig(values, baseUrl)
  // Compiles before the newest root is read, which would otherwise grow old meanwhile.
  const build = await readEscrowBuild()
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
    ...(await readRecords(
      values,
      () =>
        newestRoot({ baseUrl, rpcUrl, periodSeconds: config?.sandbox ? config.rules.liability_seconds : undefined }),
      async () => (sandbox && !values.config && !values['base-url'] ? sandboxReceipts(sandbox) : []),
    )),
    coldWallets: coldWallets(values, config),
    appeals: await readAppeals(values.appeals, baseUrl),
    payees: {
      domain: config?.base_url && new URL(config.base_url).host,
      x402MaxMicros: parseAmount(config?.rules.x402_max_amount ?? ''),
    },
    ...(config?.rules.liability_seconds ? { liabilitySeconds: config.rules.liability_seconds } : {}),
    build,
  }
  return { rpcUrl, target, published }
}

/** Returns the wallets that the options name, each as address=signature, or the one of the configuration. */
function coldWallets({ 'cold-wallet': named }: AuditValues, config: Config | undefined): ColdWallet[] {
  const published = config?.cold_wallet ? [`${config.cold_wallet}=${config.cold_wallet_proof ?? ''}`] : []
  return (named ?? published).map((text) => {
    const [address, proof] = text.split('=')
    return { address: addressVariable.parse(address), ...(proof ? { proof: signature.parse(proof) } : {}) }
  })
}

/**
 * Returns the one fee that the options name, or the signed list. Older saved configurations have a single
 * fee.
 */
function toldFees({ 'fee-bps': named }: AuditValues, config: Config | undefined): ToldFees | undefined {
  if (named !== undefined) return { feeBps: Number(named) }
  if (config?.fees) return { signed: config.fees }
  return config && { feeBps: config.rules.fee_bps }
}

async function readConfig(values: AuditValues, baseUrl: string | undefined) {
  if (values.config) return readJson(values.config, publicConfig)
  return baseUrl ? (await createMarket({ baseUrl }).call('getPublicConfig', {})).body : undefined
}
