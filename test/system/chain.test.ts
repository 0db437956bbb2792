import { after, before, describe } from 'node:test'
import { startLiar } from '../kit/chain/liar.ts'
import { type ChainMarket, startChainMarket } from '../kit/chain/market.ts'
import { freeAccount, mintUsdc } from '../kit/chain/payments.ts'
import { type LiarsScene, lies } from './chain/lies.ts'
import { rebuilds } from './chain/rebuilds.ts'
import { reorganisations } from './chain/reorgs.ts'

const BALANCE_MICROS = 100_000_000_000n

// All on one chain and one index of it: to start them takes longer than most of the tests.
describe('the worker, on the real chain and the real index', { timeout: 600_000 }, () => {
  let scene: LiarsScene | undefined
  const running = () => {
    if (!scene) throw new Error('the market was not started')
    return scene
  }
  const marketOf = (): ChainMarket => running().market

  before(async () => {
    const nodes = {} as Omit<LiarsScene, 'market'>
    const market = await startChainMarket(async (chain) => {
      const [indexNode, workerNode, verifyNode] = [
        await startLiar(chain),
        await startLiar(chain),
        await startLiar(chain),
      ]
      Object.assign(nodes, { indexNode, workerNode, verifyNode })
      return { indexer: indexNode.rpcUrl, worker: workerNode.client }
    })
    scene = { ...nodes, market }
    await mintUsdc(market.chain, freeAccount(0).address, BALANCE_MICROS)
  })

  after(async () => {
    if (!scene) return
    await scene.market.stop()
    for (const node of [scene.indexNode, scene.workerNode, scene.verifyNode]) node.stop()
  })

  // In this order: lies leave books that do not match, and reorganisations leave facts that cannot be
  // settled.
  if (process.env.MARKET_TEST_DEEP) rebuilds(marketOf)
  lies(running)
  reorganisations(marketOf)
})
