import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createPublicClient, type PublicClient } from 'viem'
import { reserveOf } from '../protocol/environment.ts'
import { nodeTransport } from '../protocol/rpc.ts'
import { createBatch } from './batch.ts'
import { createGasBudget } from './budget.ts'
import type { ChainContext, Facilitator } from './context.ts'
import type { FacilitatorEnvironment } from './env.ts'
import { createExclusive } from './exclusive.ts'
import { createGasBook } from './gas.ts'
import { keepBeating } from './heartbeat.ts'
import { openSigners } from './keys.ts'
import { checkChain, checkMulticall, WrongChain } from './preflight.ts'
import { serve } from './serve.ts'
import { ExcessivePrivilege, openSession, type Session } from './session.ts'
import { createStore } from './store.ts'
import { summary } from './summary.ts'
import { serveX402 } from './x402/serve.ts'
import { x402Settings } from './x402/settings.ts'

const RETRY_MS = 1_000

/**
 * Acts whenever no other facilitator of the database does, until `stop` aborts. Waits out a node or a database that
 * does not answer; throws WrongChain or ExcessivePrivilege where waiting would not help.
 */
export async function runFacilitator(env: FacilitatorEnvironment, log: Logger, stop: AbortSignal): Promise<void> {
  const transport = nodeTransport(env.RPC_URL, { retryCount: 1, together: true })
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
    const options = { client, store, chainId: at.chainId, maxFeePerGas: limits.maxFeePerGas, log }
    const signers = await openSigners(env, options)
    const facilitator: Facilitator = {
      ...{ ...chain, store, signers, exclusive: createExclusive() },
      budget: createGasBudget(store, limits.dailyFundingGas),
      recordOutcome: createBatch(async (ended) => {
        await store.recordOutcomes(ended)
        return ended.map(() => undefined)
      }),
    }
    log.info({ submitters: signers.addresses('submitter'), resolver: signers.addresses('resolver') }, 'acting')
    const { POLL_INTERVAL_MS: pollIntervalMs } = env
    const submitters = signers.addresses('submitter')
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
    dailyFundingGas: env.DAILY_FUNDING_GAS,
  }
  const domain = await checkChain(client, at, env.RESOLVER_KEY.address)
  const { CONFIRMATIONS: confirmations, HOT_WALLET_KEY: hotWallet, WALLET_FACTORIES: walletFactories } = env
  if (walletFactories.length > 0) await checkMulticall(client)
  const [reserve, gasBook] = [reserveOf(env), createGasBook()]
  return { client, at, domain, limits, reserve, confirmations, walletFactories, hotWallet, gasBook, log }
}
