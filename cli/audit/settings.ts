import { readFile } from 'node:fs/promises'
import { getAddress } from 'viem'
import { z } from 'zod'
import { getPublicConfig } from '../../api/config/routes.ts'
import { getLiabilities } from '../../api/liabilities/routes.ts'
import type { Published } from '../../audit/audit.ts'
import type { ToldFees } from '../../audit/fees.ts'
import { addressVariable } from '../../protocol/environment.ts'
import { signedFeeSchedule } from '../../protocol/fees.ts'
import { liabilityInclusion, signedLiabilities } from '../../protocol/liabilities.ts'
import { payoutReceipt } from '../../protocol/payoutReceipt.ts'
import { signedReceipt } from '../../protocol/receipt.ts'
import { ApiProblem, createClient } from '../../sdk/client.ts'
import { readSandbox } from '../sandboxFile.ts'
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
/** Receipts as a list, or as an export has them. */
const receipts = z.union([z.array(signedReceipt), z.object({ receipts: z.array(z.unknown()) })]).transform((read) => {
  if (Array.isArray(read)) return read
  // An export has the receipts of open orders too, which nobody has signed yet.
  const isOpen = (one: unknown) => z.object({ document: z.null() }).safeParse(one).success
  return z.array(signedReceipt).parse(read.receipts.filter((one) => !isOpen(one)))
})
const payouts = z.union([
  z.array(payoutReceipt).transform((all) => [{ receipts: all, next_cursor: null }]),
  z.object({ receipts: z.array(payoutReceipt), next_cursor: z.string().nullish() }).transform((page) => [page]),
])
const roots = z.union([z.array(signedLiabilities), signedLiabilities.transform((one) => [one])])
const toldPage = z.object({
  liabilities: signedLiabilities,
  balances: z.array(liabilityInclusion),
  next_cursor: z.string().nullish(),
})
const told = z.union([z.array(toldPage), toldPage.transform((one) => [one])])

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
  const balances = await readFiles(values.balances, told)
  const payoutPages = await readFiles(values.payouts, payouts)
  const published: Published = {
    fees: need(toldFees(values, config), 'fee-bps'),
    keys: (values.keys ? await readJson(values.keys, jwks) : config?.keys)?.keys ?? [],
    receipts: await readFiles(values.receipts, receipts),
    payouts: payoutPages.flatMap((page) => page.receipts),
    cutOff: cutOff({ balances, 'payout receipts': payoutPages }),
    liabilities: [
      ...(values.liabilities ? await readFiles(values.liabilities, roots) : await newestRoot(baseUrl)),
      ...balances.map(({ liabilities }) => liabilities),
    ],
    balances,
    coldWallets: (values['cold-wallet'] ?? (config?.cold_wallet ? [config.cold_wallet] : [])).map((wallet) =>
      addressVariable.parse(wallet),
    ),
  }
  return { rpcUrl, target, published }
}

interface Page {
  next_cursor?: string | null | undefined
}

/** What has more behind the pages that were given: none of them says that it is the last. */
function cutOff(given: Record<string, readonly Page[]>): string[] {
  const isCutOff = (pages: readonly Page[]) =>
    pages.length > 0 && pages.every(({ next_cursor }) => typeof next_cursor === 'string')
  return Object.keys(given).filter((what) => isCutOff(given[what] ?? []))
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

async function readFiles<Item>(
  paths: readonly string[] | undefined,
  schema: z.ZodType<readonly Item[]>,
): Promise<Item[]> {
  return (await Promise.all((paths ?? []).map((path) => readJson(path, schema)))).flat()
}

async function readJson<Value>(path: string, schema: z.ZodType<Value>): Promise<Value> {
  const read = schema.safeParse(parsed(path, await readFile(path, 'utf8')))
  if (read.success) return read.data
  throw new Error(`${path} is not what it should be: ${z.prettifyError(read.error)}`)
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is no JSON, or not all of it`)
  }
}
