import { parseAmount } from '../../../../../../protocol/encoding/amounts.ts'
import { marketAs } from '../../../../../data/market.ts'
import { knownPayees } from '../../../../../data/storage/knownPayees.ts'
import { trustedMarket } from '../../../../../data/storage/trusted.ts'
import { msg, t } from '../../../../../texts/texts.ts'
import { connectedWallet, ensureChain, signerOf } from '../../../../../wallet/wallets.ts'
import type { OrderBody, Viewer } from '../../record/order.ts'

const UNCONNECTED = {
  buyer: msg('The wallet that paid is not connected to this page.'),
  seller: msg('The wallet that is paid is not connected to this page.'),
}

/** What goes back to the buyer: an amount in wire form, or all that was paid. */
export type Refund = string | 'all'

interface Options {
  /** After an abort nothing is submitted. */
  signal: AbortSignal
  /** Called when the wallet asks. */
  onAsk: () => void
}

/**
 * Asks the wallet of the viewer to sign how the payment of an order is distributed, and submits the
 * signature: before the order is accepted or conceded, or a split is proposed or accepted. Asks only a wallet
 * that this page was connected to before, and none if nothing is held or this side gets all. Throws a
 * PayeeChanged if the seller is to be paid to another wallet than this browser signed for before, and an
 * Error that tells the person why no signature was submitted.
 */
export async function signOutcome(urn: string, { side, agent }: Viewer, refund: Refund, { signal, onAsk }: Options) {
  const client = marketAs(agent)
  const { body: order, response } = await client.call('getOrder', { params: { urn }, signal })
  const { hold } = order
  if (hold?.status !== 'held') return
  const back = refund === 'all' ? hold.amount : refund
  const getsAll = parseAmount(back) === (side === 'buyer' ? parseAmount(hold.amount) : 0n)
  if (getsAll) return
  const [market, sdk] = await Promise.all([trustedMarket(), import('../../../../../../sdk/settlement.ts')])
  // The service's time: this machine's may be wrong.
  const nowSeconds = Math.floor((Date.parse(response.headers.get('date') ?? '') || Date.now()) / 1_000)
  const intent = { refund: back, nowSeconds, ...(side === 'buyer' ? { knownPayees } : {}) }
  // First without a wallet: a changed wallet of the seller stops the person whose own is not connected, too.
  sdk.settlementToSign(order, market, intent)
  const wallet = await connectedWallet(await partysWallets(order, { side, agent }))
  if (!wallet) throw new Error(t(UNCONNECTED[side]))
  signal.throwIfAborted()
  onAsk()
  await ensureChain(wallet, market.chainId)
  const signer = signerOf(wallet)
  const signTypedData = async (data: unknown) => {
    const signature = await signer.signTypedData(data)
    signal.throwIfAborted()
    return signature
  }
  await sdk.signSettlement(client, { ...signer, signTypedData }, order, market, intent)
}

/**
 * Returns the wallets that may sign for a side: the payer, or whom the hold pays, which in custody is any of
 * the seller's.
 */
async function partysWallets({ hold }: OrderBody, { side, agent }: Viewer): Promise<readonly string[]> {
  if (side === 'buyer') return hold ? [hold.payer] : []
  if (hold?.payee) return [hold.payee]
  const { wallets } = (await marketAs(agent).call('listWallets', {})).body
  return wallets.map(({ address }) => address)
}
