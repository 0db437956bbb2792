import { createConfig } from 'ponder'
import { escrowEvents } from '../protocol/abi/escrowEvents.ts'
import { tokenEvents } from '../protocol/abi/tokenEvents.ts'
import { readIndexerEnvironment } from './env.ts'

// Ponder starts each URL at 20 requests a second: naming the node several times lets a burst of blocks through.
const LANES = 12

const env = readIndexerEnvironment(process.env)
const startBlock = Number(env.START_BLOCK)
const ours = [env.ESCROW_ADDRESS, env.HOT_WALLET_ADDRESS]

const token = { abi: tokenEvents, chain: 'market', address: env.TOKEN_ADDRESS, startBlock } as const

export default createConfig({
  database: { kind: 'postgres', connectionString: env.DATABASE_URL },
  chains: {
    market: {
      id: env.CHAIN_ID,
      rpc: Array<string>(LANES).fill(env.RPC_URL),
      pollingInterval: env.POLLING_INTERVAL_MS,
    },
  },
  contracts: {
    Escrow: { abi: escrowEvents, chain: 'market', address: env.ESCROW_ADDRESS, startBlock },
    // One source for each direction: of two filters on the same event of a source, Ponder keeps the last.
    TokenIn: { ...token, filter: { event: 'Transfer', args: { to: ours } } },
    // Without events of its own: the handlers ask for its address.
    HotWallet: { abi: [], chain: 'market', address: env.HOT_WALLET_ADDRESS },
    TokenOut: { ...token, filter: { event: 'Transfer', args: { from: ours } } },
  },
})
