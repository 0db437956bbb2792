import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createPublicClient, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainContext, Facilitator, SignerRole } from './context.ts'
import type { FacilitatorEnvironment } from './env.ts'
import { createExclusive } from './exclusive.ts'
import { keepBeating } from './heartbeat.ts'
import { checkChain, checkMulticall, WrongChain } from './preflight.ts'
import { serve } from './serve.ts'
import { ExcessivePrivilege, openSession, type Session } from './session.ts'
import { Signer } from './signer.ts'
import { createStore } from './store.ts'
import { summary } from './summary.ts'
import { serveX402 } from './x402/serve.ts'
import { x402Settings } from './x402/settings.ts'

const RETRY_MS = 1_000
const RPC_TIMEOUT_MS = 10_000

/**
 * Acts whenever no other facilitator of the database does, until `stop` aborts. Waits out a node or a database that
 * does not answer; throws WrongChain or ExcessivePrivilege where waiting would not help.
 */
export async function runFacilitator(env: FacilitatorEnvironment, log: Logger, stop: AbortSignal): Promise<void> {
  const transport = http(env.RPC_URL, { timeout: RPC_TIMEOUT_MS, retryCount: 1 })
  const client = createPublicClient({ transport, cacheTime: 0 })
  const onWait = () => log.info('standing by: another facilitator acts')
  while (!stop.aborted) {
    try {
      const chain = await chainContext(client, env, log)
      await act(chain, env, await openSession(env.DATABASE_URL, stop, onWait), stop)
    } catch (error) {
      if (error instanceof WrongChain || error instanceof ExcessivePrivilege) throw error
      if (!stop.aborted) log.warn({ error: summary(error) }, 'cannot act yet')
    }
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
  }
}

async function act(
  chain: ChainContext,
  env: FacilitatorEnvironment,
  session: Session,
  stop: AbortSignal,
): Promise<void> {
  const { client, at, limits, log } = chain
  const ended = AbortSignal.any([stop, session.lost])
  try {
    const store = createStore(session)
    const options = { client, store, chainId: at.chainId, maxFeePerGas: limits.maxFeePerGas }
    const signer = (account: PrivateKeyAccount, role: SignerRole) =>
      new Signer({ ...options, account, log: log.child({ signer: role }) })
    const signers = {
      submitter: signer(env.SUBMITTER_KEY, 'submitter'),
      resolver: signer(env.RESOLVER_KEY, 'resolver'),
    }
    const facilitator: Facilitator = { ...chain, store, signers, exclusive: createExclusive() }
    log.info({ submitter: signers.submitter.address, resolver: signers.resolver.address }, 'acting')
    const { POLL_INTERVAL_MS: pollIntervalMs } = env
    const submitters = [signers.submitter.address]
    await Promise.all([
      keepBeating(facilitator, ended),
      serve(facilitator, pollIntervalMs, ended),
      serveX402(facilitator, x402Settings(env), { session, submitters, pollIntervalMs }, ended),
    ])
  } finally {
    if (session.lost.aborted) log.warn('the database session was lost')
    await session.close()
  }
}

async function chainContext(client: PublicClient, env: FacilitatorEnvironment, log: Logger): Promise<ChainContext> {
  const at = {
    chainId: env.CHAIN_ID,
    escrow: env.ESCROW_ADDRESS,
    token: env.TOKEN_ADDRESS,
    hotWallet: env.HOT_WALLET_ADDRESS,
    startBlock: env.START_BLOCK,
  }
  const limits = {
    maxPayoutMicros: env.MAX_PAYOUT_MICROS,
    dailyPayoutMicros: env.DAILY_PAYOUT_MICROS,
    maxGas: env.MAX_GAS,
    maxFeePerGas: env.MAX_FEE_PER_GAS,
    minGasBalance: env.MIN_GAS_BALANCE,
  }
  const walletFactories = env.WALLET_FACTORIES
  const domain = await checkChain(client, at, env.RESOLVER_KEY.address)
  if (walletFactories.length > 0) await checkMulticall(client)
  const { CONFIRMATIONS: confirmations, HOT_WALLET_KEY: hotWallet } = env
  return { client, at, domain, limits, confirmations, walletFactories, hotWallet, log }
}
