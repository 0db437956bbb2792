import { type Address, createPublicClient, defineChain, http, type PublicClient } from 'viem'
import { createMarket } from '../../../sdk/market.ts'
import { type PaymentMarket, paymentMarket } from '../../../sdk/offer.ts'
import type { SandboxFile } from '../../machine/sandboxFile.ts'

/** The chain the demonstration trades on. */
export interface DemoChain {
  rpcUrl: string
  rpc: PublicClient
  escrow: Address
  token: Address
  hotWallet: Address
  feeRecipient: Address
  market: PaymentMarket
}

/** Returns the public configuration of a market, and the chain that it names. */
export async function readDemoChain(sandbox: Pick<SandboxFile, 'base_url' | 'rpc_url'>) {
  const { body: config } = await createMarket({ baseUrl: sandbox.base_url }).call('getPublicConfig', {})
  const definition = defineChain({
    id: config.chain_id,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [sandbox.rpc_url] } },
  })
  const chain: DemoChain = {
    rpcUrl: sandbox.rpc_url,
    rpc: createPublicClient({ chain: definition, transport: http(), pollingInterval: 100, ccipRead: false }),
    escrow: config.escrow_contract,
    token: config.token.address,
    hotWallet: config.hot_wallet,
    feeRecipient: config.fee_recipient,
    market: paymentMarket(config),
  }
  return { config, chain }
}
