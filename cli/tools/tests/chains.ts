import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createTestClient, type Hex, http, type TestClient } from 'viem'
import { deploySandbox, type SandboxDeployment } from '../../../ignition/deploySandbox.ts'
import { STATE_DIR } from '../../machine/paths.ts'
import { freePort } from '../../machine/ports.ts'
import { launch, type StartedProcess, signal, untilReady } from '../../machine/process.ts'
import { chainSpec, chainUrl, setChainClock } from '../../stack/chain.ts'

/** A node lent to a test, and the contracts on it. */
export interface LentChain {
  rpcUrl: string
  pid: number
  deployment: SandboxDeployment
}

interface Chain extends LentChain {
  node: StartedProcess
  client: TestClient
  /** The snapshot of the chain just after the contracts were deployed. */
  fresh: Hex
}

/**
 * Lends chains to test files, because starting a node and deploying takes longer than most files. Returns a
 * URL. A chain is lent for as long as a request to that URL stays open, and is reset when it is returned by a
 * POST of the node's process id to the same URL. A borrower that dies without returning its chain may leave
 * processes that still use it, so that chain ends too.
 */
export async function lendChains(): Promise<string> {
  const free: Chain[] = []
  // Keyed to the borrowing request: a borrower's connection may close long after its chain was lent to
  // another.
  const lent = new Map<number, { chain: Chain; to: ServerResponse }>()
  const lend = async (response: ServerResponse) => {
    const chain = free.pop() ?? (await startChain())
    await setChainClock(chain.rpcUrl)
    lent.set(chain.pid, { chain, to: response })
    response.once('close', () => {
      if (lent.get(chain.pid)?.to !== response) return
      lent.delete(chain.pid)
      signal(chain.node, 'SIGKILL')
    })
    const { rpcUrl, pid, deployment } = chain
    response.write(
      JSON.stringify({ rpcUrl, pid, deployment }, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
    response.write('\n')
  }
  const takeBack = async (pid: number) => {
    const lease = lent.get(pid)
    if (!lease || !lent.delete(pid)) return
    await reset(lease.chain)
    free.push(lease.chain)
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') return lend(response)
    return takeBack(Number(request.url?.slice(1))).then(() => response.end())
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startChain(): Promise<Chain> {
  const { node, rpcUrl, deployment } = await startNode()
  const client = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) })
  return { rpcUrl, pid: node.pid, deployment, node, client, fresh: await client.snapshot() }
}

/** Starts a node with the contracts deployed. It ends with this process. */
export async function startNode() {
  const port = await freePort()
  const rpcUrl = chainUrl(port)
  const spec = chainSpec({ port, miningIntervalMs: 0 })
  const node = launch(spec, join(STATE_DIR, `logs/test/chain-${process.pid}-${port}.log`))
  await untilReady(spec, node)
  node.unref()
  await setChainClock(rpcUrl)
  return { node, rpcUrl, deployment: await deploySandbox({ rpcUrl }) }
}

async function reset(chain: Chain): Promise<void> {
  await chain.client.setAutomine(false)
  await chain.client.setIntervalMining({ interval: 0 })
  await chain.client.revert({ id: chain.fresh })
  chain.fresh = await chain.client.snapshot()
}
