import { parseAmount } from '../protocol/encoding/amounts.ts'
import { canonicalJson } from '../protocol/encoding/canonical.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { isIncluded } from '../protocol/liabilities/inclusion.ts'
import { type EthereumProvider, isSameAccount, readBalance, readBlock, readChainId } from './ethereum.ts'
import type { components } from './generated/schema.ts'
import type { Market } from './market.ts'

const PAGE = 100

const DAY_SECONDS = 86_400

/** The published root with its signature, as GET /v1/me/liabilities answers. */
export type SignedLiabilities = components['schemas']['Liabilities']
/** A balance with its path to the root. */
export type LiabilityInclusion = components['schemas']['Inclusions']['balances'][number]
type LiabilitiesDocument = SignedLiabilities['document']

/**
 * What is wrong with a proof of liabilities: no published key signed it, it differs from the published one, a
 * balance is not in its tree or appears twice, it is of another block than requested or one that the chain
 * does not have, the newest one is too old, it is of a token or wallets that are not the service's, or they
 * held less than is owed.
 */
export type LiabilityFault = 'signature' | 'published' | 'inclusion' | 'block' | 'age' | 'custody' | 'solvency'

/** The proof is not valid. `subject` names what fails: an account, a block or the wallets. */
export class LiabilityError extends Error {
  readonly fault: LiabilityFault
  readonly subject: string

  constructor(fault: LiabilityFault, subject: string, detail: string) {
    super(`liabilities, ${subject}: ${detail}`)
    this.name = 'LiabilityError'
    this.fault = fault
    this.subject = subject
  }
}

/**
 * The inputs for checking what the wallets held: a node of the caller's choice, and values kept from
 * /v1/config/public.
 */
export interface ChainCheck {
  client: EthereumProvider
  token: string
  /** The hot wallet, and the cold one if there is one: tokens in any other wallet cover nothing. */
  wallets: readonly string[]
  /**
   * The maximum age of the newest proof, by the chain's clock; a day by default. Not applied to a proof of a
   * requested block.
   */
  maxAgeSeconds?: number
}

/**
 * The result of a proof: what the caller is owed at a block, each balance in the signed tree. Micro-units.
 */
export interface ProvedBalances {
  liabilities: SignedLiabilities
  balances: LiabilityInclusion[]
  totalMicros: bigint
}

/**
 * Reads what custody owes the client's account, and proves it. With keys kept from /v1/config/public: the
 * root is signed, each balance is in its tree once, and the root is the one published to everyone. With a
 * node: the chain has that block, it is recent, and the service's wallets held everything that is owed in it.
 * Compare the balances with your own records: only you can. Throws a LiabilityError for a failed check, and
 * an ApiProblem if nothing has been published.
 */
export async function proveBalances(
  market: Pick<Market, 'call'>,
  keys: readonly PublicKeyJwk[],
  options: { chain?: ChainCheck; block?: number } = {},
): Promise<ProvedBalances> {
  const { liabilities, balances } = await readBalances(market, options.block)
  const { document } = liabilities
  await checkSignature(liabilities, keys)
  if (options.block !== undefined && document.block_number !== options.block) {
    throw new LiabilityError('block', `block ${options.block}`, `what was shown is of block ${document.block_number}`)
  }
  await checkPublished(market, liabilities)
  checkInclusions(balances, document)
  if (options.chain) await checkChain(options.chain, document, { isNewest: options.block === undefined })
  const totalMicros = balances.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n)
  return { liabilities, balances, totalMicros }
}

async function readBalances(market: Pick<Market, 'call'>, block: number | undefined) {
  const first = await readPage(market, block === undefined ? {} : { block })
  const { liabilities } = first
  const balances = [...first.balances]
  // Later pages must be of the same tree, though a newer one may be published meanwhile.
  const same = { block: liabilities.document.block_number }
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(market, { ...same, cursor })
    balances.push(...page.balances)
    cursor = page.next_cursor
  }
  return { liabilities, balances }
}

async function readPage(market: Pick<Market, 'call'>, query: { block?: number; cursor?: string }) {
  return (await market.call('listInclusions', { query: { limit: PAGE, ...query } })).body
}

async function checkSignature(
  { document, key_id: keyId, signature }: SignedLiabilities,
  keys: readonly PublicKeyJwk[],
) {
  const as = { purpose: 'liabilities', at: document.created_at } as const
  const isRoot = document.type === 'market:liabilities'
  if (isRoot && (await verifyDocument(document, { keyId, signature }, keys, as))) return
  throw new LiabilityError('signature', `block ${document.block_number}`, 'it is not signed by a known key')
}

async function checkPublished(market: Pick<Market, 'call'>, { document }: SignedLiabilities): Promise<void> {
  const params = { block: document.block_number }
  const { body } = await market.call('getLiabilitiesAt', { params })
  if (canonicalJson(body.document) === canonicalJson(document)) return
  throw new LiabilityError('published', `block ${document.block_number}`, 'others are shown another root')
}

/** A leaf that appears twice would be counted twice, and be in the tree each time. */
function checkInclusions(balances: readonly LiabilityInclusion[], document: LiabilitiesDocument): void {
  const accounts = new Set<string>()
  for (const balance of balances) {
    if (accounts.has(balance.account)) throw new LiabilityError('inclusion', balance.account, 'it was shown twice')
    accounts.add(balance.account)
    if (isIncluded(balance, document)) continue
    throw new LiabilityError('inclusion', balance.account, 'its path does not lead to the signed root')
  }
}

async function checkChain(
  chain: ChainCheck,
  document: LiabilitiesDocument,
  { isNewest }: { isNewest: boolean },
): Promise<void> {
  const { client: node, maxAgeSeconds = DAY_SECONDS } = chain
  const blockNumber = BigInt(document.block_number)
  const chainId = await readChainId(node)
  const [block, newest] = [await readBlock(node, blockNumber), await readBlock(node, 'latest')]
  if (document.network !== `eip155:${chainId}` || document.block_hash !== block?.hash) {
    throw new LiabilityError('block', `block ${blockNumber}`, `the node has ${block?.hash} there, on chain ${chainId}`)
  }
  const ageSeconds = Number((newest ?? block).timestamp - block.timestamp)
  if (isNewest && ageSeconds > maxAgeSeconds) {
    throw new LiabilityError('age', `block ${blockNumber}`, `it is ${ageSeconds} seconds older than the newest block`)
  }
  checkCustody(chain, document)
  await checkSolvency(node, document)
}

/** The service could sign a token of its own, a stranger's wallet, or one wallet twice. */
function checkCustody({ token, wallets }: ChainCheck, document: LiabilitiesDocument): void {
  if (!isSameAccount(document.token, token)) {
    throw new LiabilityError('custody', document.token, `it is not the token ${token}`)
  }
  const left = new Set(wallets.map((wallet) => wallet.toLowerCase()))
  for (const wallet of document.wallets) {
    if (left.delete(wallet.toLowerCase())) continue
    throw new LiabilityError('custody', wallet, 'it is no wallet that the service published, or was named before')
  }
}

async function checkSolvency(node: EthereumProvider, document: LiabilitiesDocument): Promise<void> {
  const { token, wallets, total } = document
  const blockNumber = BigInt(document.block_number)
  const balances = await Promise.all(wallets.map((wallet) => readBalance(node, token, wallet, blockNumber)))
  const heldMicros = balances.reduce((sum, balance) => sum + balance, 0n)
  const owedMicros = parseAmount(total)
  if (owedMicros === undefined || heldMicros < owedMicros) {
    throw new LiabilityError('solvency', wallets.join(', '), `${heldMicros} is held, ${total} is owed`)
  }
}
