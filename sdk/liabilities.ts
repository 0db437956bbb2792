import type { PublicClient } from 'viem'
import { getLiabilitiesAt, listInclusions } from '../api/liabilities/routes.ts'
import { tokenAbi } from '../protocol/abi/token.ts'
import { parseAmount } from '../protocol/amounts.ts'
import { canonicalJson } from '../protocol/canonical.ts'
import {
  isIncluded,
  type LiabilitiesDocument,
  type LiabilityInclusion,
  type SignedLiabilities,
} from '../protocol/liabilities.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'
import type { Client } from './client.ts'

const PAGE = '100'

/**
 * What is wrong with a proof of liabilities: nobody's published key signed it, it is not what is published to everyone, a
 * balance is not in its tree, it is of a block that the chain does not have, or the wallets held less than is owed.
 */
export type LiabilityFault = 'signature' | 'published' | 'inclusion' | 'block' | 'solvency'

/** The proof does not hold. `subject` names what does not: an account, a block or the wallets. */
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

/** What was proved: what is owed to the caller at a block, each balance in the signed tree. Micro-units. */
export interface ProvedBalances {
  liabilities: SignedLiabilities
  balances: LiabilityInclusion[]
  totalMicros: bigint
}

/**
 * Reads what custody owes the client's account, and proves it: against keys that were kept from /v1/config/public, the root
 * is signed and each balance is in its tree; the root is also what everybody else is shown. With a node, the chain has that
 * block, and the wallets held all that is owed in it. Compare the balances with what you know you are owed: only you can.
 * Throws a LiabilityError for what does not hold, and an ApiProblem where nothing has been published.
 */
export async function proveBalances(
  client: Client,
  keys: readonly PublicKeyJwk[],
  options: { node?: PublicClient; block?: number } = {},
): Promise<ProvedBalances> {
  const { liabilities, balances } = await readBalances(client, options.block)
  await checkSignature(liabilities, keys)
  await checkPublished(client, liabilities)
  const { document } = liabilities
  for (const balance of balances) {
    if (isIncluded(balance, document)) continue
    throw new LiabilityError('inclusion', balance.account, 'its path does not lead to the signed root')
  }
  if (options.node) await checkSolvency(options.node, document)
  const totalMicros = balances.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n)
  return { liabilities, balances, totalMicros }
}

async function readBalances(client: Client, block: number | undefined) {
  const first = await readPage(client, block === undefined ? {} : { block: String(block) })
  const { liabilities } = first
  const balances = [...first.balances]
  // The pages behind the first are of the same tree, though a newer one may be published meanwhile.
  const same = { block: String(liabilities.document.block_number) }
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, { ...same, cursor })
    balances.push(...page.balances)
    cursor = page.next_cursor
  }
  return { liabilities, balances }
}

async function readPage(client: Client, query: { block?: string; cursor?: string }) {
  return (await client.call(listInclusions, { query: { limit: PAGE, ...query } })).body
}

async function checkSignature(
  { document, key_id: keyId, signature }: SignedLiabilities,
  keys: readonly PublicKeyJwk[],
) {
  if (await verifyDocument(document, { keyId, signature }, keys)) return
  throw new LiabilityError('signature', `block ${document.block_number}`, 'it is not signed by a known key')
}

async function checkPublished(client: Client, { document }: SignedLiabilities): Promise<void> {
  const params = { block: String(document.block_number) }
  const { body } = await client.call(getLiabilitiesAt, { params })
  if (canonicalJson(body.document) === canonicalJson(document)) return
  throw new LiabilityError('published', `block ${document.block_number}`, 'others are shown another root')
}

async function checkSolvency(node: PublicClient, document: LiabilitiesDocument): Promise<void> {
  const blockNumber = BigInt(document.block_number)
  const [chainId, { hash }] = await Promise.all([node.getChainId(), node.getBlock({ blockNumber })])
  if (document.network !== `eip155:${chainId}` || document.block_hash !== hash) {
    throw new LiabilityError('block', `block ${blockNumber}`, `the node has ${hash} there, on chain ${chainId}`)
  }
  const balances = await Promise.all(
    document.wallets.map((wallet) =>
      node.readContract({
        address: document.token,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [wallet],
        blockNumber,
      }),
    ),
  )
  const heldMicros = balances.reduce((sum, balance) => sum + balance, 0n)
  const owedMicros = parseAmount(document.total)
  if (owedMicros === undefined || heldMicros < owedMicros) {
    throw new LiabilityError(
      'solvency',
      document.wallets.join(', '),
      `${heldMicros} is held, ${document.total} is owed`,
    )
  }
}
