import { createConfig } from 'ponder'
import { escrowEvents } from '../protocol/generated/escrowEvents.ts'
import { tokenEvents } from '../protocol/generated/tokenEvents.ts'
import { readIndexerEnvironment } from './env.ts'

// Ponder starts each URL at 20 requests a second: listing the node several times admits a burst of blocks.
const LANES = 12
// Two are for Ponder's own maintenance; readers, handlers and the sync share the rest.
const CONNECTIONS = 14

const env = readIndexerEnvironment(process.env)
const startBlock = Number(env.START_BLOCK)
const ours = [env.ESCROW_ADDRESS, env.HOT_WALLET_ADDRESS]

const token = { abi: tokenEvents, chain: 'market', address: env.TOKEN_ADDRESS, startBlock } as const

export default createConfig({
  database: {
    kind: 'postgres',
    connectionString: env.INDEX_DATABASE_URL,
    poolConfig: { max: CONNECTIONS, application_name: 'indexer-ponder' },
  },
  chains: {
    market: {
      id: env.CHAIN_ID,
      rpc: Array<string>(LANES).fill(env.RPC_URL),
      pollingInterval: env.POLLING_INTERVAL_MS,
    },
  },
  contracts: {
    Escrow: { abi: escrowEvents, chain: 'market', address: env.ESCROW_ADDRESS, startBlock },
    // One source per direction: of two filters on the same event of a source, Ponder keeps only the last.
    TokenIn: { ...token, filter: { event: 'Transfer', args: { to: ours } } },
    // Without events of its own: the handlers read its address.
    HotWallet: { abi: [], chain: 'market', address: env.HOT_WALLET_ADDRESS },
    TokenOut: { ...token, filter: { event: 'Transfer', args: { from: ours } } },
  },
})
