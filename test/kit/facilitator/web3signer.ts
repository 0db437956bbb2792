import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'

/** A web3signer in its eth1 mode: it holds keys, and signs whatever it is asked to sign. */
export interface Web3signer {
  url: string
  /** How many signatures it has given. */
  signed: number
  /** What the last request had in its header. */
  authorization: string | undefined
  load: (key: Hex) => void
  /** What happens to a signature before it is told; undefined keeps it back. */
  twist: (signature: Hex) => Promise<string> | string | undefined
  stop: () => Promise<void>
}

export async function startWeb3signer(keys: readonly Hex[]): Promise<Web3signer> {
  // web3signer names a key by its uncompressed point, without the prefix.
  const byIdentifier = new Map<string, Hex>()
  const load = (key: Hex) => byIdentifier.set(`0x${privateKeyToAccount(key).publicKey.slice(4)}`, key)
  for (const key of keys) load(key)
  const server = createServer(async (request, response) => {
    signer.authorization = request.headers.authorization
    const { pathname } = new URL(request.url ?? '', 'http://signer')
    if (request.method === 'GET' && pathname === '/api/v1/eth1/publicKeys') {
      return response.setHeader('content-type', 'application/json').end(JSON.stringify([...byIdentifier.keys()]))
    }
    const key = byIdentifier.get(pathname.replace('/api/v1/eth1/sign/', ''))
    if (request.method !== 'POST' || key === undefined) return response.writeHead(404).end('Not found')
    const { data } = JSON.parse(await text(request)) as { data: Hex }
    const told = await signer.twist(await sign({ hash: keccak256(data), privateKey: key, to: 'hex' }))
    if (told === undefined) return response.writeHead(503).end()
    signer.signed++
    return response.setHeader('content-type', 'text/plain; charset=utf-8').end(told)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const signer: Web3signer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signed: 0,
    authorization: undefined,
    load,
    twist: (signature) => signature,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return signer
}
