import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createPublicClient } from 'viem'
import { Unfit } from '../protocol/environment/databaseFaults.ts'
import { reserveOf } from '../protocol/environment/environment.ts'
import { nodeTransport } from '../protocol/rpc/rpc.ts'
import { createFeeQuote } from './chain/fees.ts'
import { createGasBook } from './chain/gas.ts'
import { openWitness } from './chain/witness.ts'
import { createBatch } from './context/batch.ts'
import type { ChainContext } from './context/chain.ts'
import { createExclusive } from './context/exclusive.ts'
import { summary } from './context/summary.ts'
import { accountsOf, type FacilitatorEnvironment } from './env.ts'
import type { Facilitator } from './evidence/pass.ts'
import { createFundingBudget } from './file/budget.ts'
import type { LeaseOptions } from './file/lease.ts'
import { openFile } from './file/restoreGuard.ts'
import { openSession, type Session, type SessionEvents } from './file/session.ts'
import { type FileContext, SignedAuthorizations } from './file/signedAuthorizations.ts'
import { createStore } from './file/store.ts'
import { keepBeating } from './heartbeat.ts'
import { setActing } from './instruments.ts'
import { openSigners } from './keys.ts'
import { checkChain, checkMulticall } from './preflight.ts'
import { requireRemoteKeys } from './remoteSigner.ts'
import { serve } from './serve.ts'
import { serveX402 } from './x402/serve.ts'
import { x402Settings } from './x402/settings.ts'

const RETRY_MS = 1_000

/**
 * Runs the facilitator while no other facilitator holds the lease of one of its keys, until `stop` aborts.
 * Waits out an unreachable node or database; throws Unfit, which waiting would not fix.
 */
export async function runFacilitator(env: FacilitatorEnvironment, log: Logger, stop: AbortSignal): Promise<void> {
  const transport = nodeTransport(env.RPC_URL, { retryCount: 1, together: true })
  const client = createPublicClient({ transport, cacheTime: 0, ccipRead: false })
  const witness = openWitness(env.RPC_VERIFY_URL, log)
  const signedAuthorizations = new SignedAuthorizations()
  const keys: LeaseOptions = {
    keys: accountsOf(env).map(({ address }) => address),
    holder: randomUUID(),
    leaseMs: env.LEASE_MS,
  }
  const events: SessionEvents = {
    onWait: () => log.info('standing by: another facilitator acts'),
    isSandbox: env.MARKET_SANDBOX,
    warn: (fault) => log.warn(fault),
  }
  const database = { url: env.DATABASE_URL, pooler: env.DATABASE_POOLER }
  while (!stop.aborted) {
    try {
      const chain = { ...(await chainContext({ client, witness }, env, log)), signedAuthorizations }
      await act(chain, env, await openSession(database, keys, stop, events), stop)
    } catch (error) {
      if (error instanceof Unfit) throw error
      if (!stop.aborted) log.warn({ error: summary(error) }, 'cannot act yet')
    }
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
  }
}

async function act(
  chain: FileContext,
  env: FacilitatorEnvironment,
  session: Session,
  stop: AbortSignal,
): Promise<void> {
  const { client, at, limits, log } = chain
  const over = new AbortController()
  const ended = AbortSignal.any([stop, session.lost, over.signal])
  // From now on: reading the file may take longer than the lease lasts.
  const keeping = keepLease(session, env.LEASE_MS, ended)
  try {
    const store = createStore(session, chain)
    chain.signedAuthorizations.onLease(session.lease)
    const { file, signsFrom } = await openFile(chain, store, store.reportForeign)
    const { maxFeePerGas } = limits
    const feeQuote = createFeeQuote(client, maxFeePerGas)
    const options = { client, store, chainId: at.chainId, maxFeePerGas, feeQuote, log }
    const signers = await openSigners(env, options)
    const facilitator: Facilitator = {
      ...{ ...chain, store, file, signers, feeQuote, signsFrom, exclusive: createExclusive() },
      budget: createFundingBudget(store, { dailyWei: limits.dailyFundingWei, newOwnerWei: limits.newOwnerFundingWei }),
      recordOutcome: createBatch(async (ended) => {
        await store.recordOutcomes(ended)
        return ended.map(() => undefined)
      }),
    }
    log.info({ submitters: signers.addresses('submitter'), resolver: signers.addresses('resolver') }, 'acting')
    setActing(true)
    const { POLL_INTERVAL_MS: pollIntervalMs } = env
    const submitters = signers.addresses('submitter')
    await Promise.all([
      keepBeating(facilitator, () => requireKeys(env), ended),
      serve(facilitator, pollIntervalMs, ended),
      serveX402(facilitator, x402Settings(env), { session, submitters, pollIntervalMs }, ended),
    ])
  } finally {
    setActing(false)
    over.abort()
    await keeping
    if (session.lost.aborted) log.warn('the database session was lost, or the lease of the keys')
    await session.close()
  }
}

async function requireKeys(env: FacilitatorEnvironment): Promise<void> {
  if (env.SIGNER_URL) await requireRemoteKeys(env.SIGNER_URL, accountsOf(env))
}

/** Extends the lease three times as often as it must be, until `stop` aborts. */
async function keepLease(session: Session, leaseMs: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await delay(leaseMs / 3, undefined, { signal: stop }).catch(() => {})
    // An error here ends the session.
    if (!stop.aborted) await session.renew().catch(() => {})
  }
}

async function chainContext(nodes: Pick<ChainContext, 'client' | 'witness'>, env: FacilitatorEnvironment, log: Logger) {
  const { client } = nodes
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
    dailyFundingWei: env.DAILY_FUNDING_WEI,
    newOwnerFundingWei: env.NEW_OWNER_FUNDING_WEI,
    x402MaxMicros: env.X402_MAX_AMOUNT_MICROS,
    unprovedDailyMicros: env.RELEASE_UNPROVED_DAILY_MICROS,
    releaseDelaySeconds: BigInt(env.RELEASE_DELAY_SECONDS),
    minAppealFeeMicros: env.MIN_APPEAL_FEE_MICROS,
  }
  const domain = await checkChain(client, at, { resolver: env.RESOLVER_KEY.address })
  const { CONFIRMATIONS: confirmations, HOT_WALLET_KEY: hotWallet, WALLET_FACTORIES: walletFactories } = env
  if (walletFactories.length > 0) await checkMulticall(client)
  const [reserve, gasBook] = [reserveOf(env), createGasBook()]
  const domainName = new URL(env.BASE_URL).host
  return {
    ...{ ...nodes, at, domain, domainName, limits, reserve, confirmations, walletFactories, hotWallet, gasBook, log },
    verdictKeys: env.VERDICT_KEYS,
  }
}
