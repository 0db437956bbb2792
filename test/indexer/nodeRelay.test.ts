import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { it } from 'node:test'
import { expect } from 'chai'
import { type Hex, padHex, zeroAddress } from 'viem'
import { type LogsFault, startNodeRelay } from '../../indexer/nodeRelay.ts'

it('The relay asks the node again for a block of which it left logs out, and keeps one that is whole', async (t) => {
  const blockHash = padHex('0x7')
  const log = (logIndex: Hex) => ({ address: zeroAddress, topics: [], blockHash, logIndex })
  let logs = [log('0x1')]
  let asked = 0
  const answers: Record<string, () => unknown> = {
    eth_getLogs: () => {
      asked++
      return logs
    },
    eth_getBlockByHash: () => ({ number: '0x7', logsBloom: `0x${'00'.repeat(256)}`, transactions: [] }),
    eth_getBlockReceipts: () => [],
  }
  const node = createServer(async (request, response) => {
    const { id, method } = (await json(request)) as { id: number; method: string }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() }))
  }).listen(0, '127.0.0.1')
  t.after(() => node.close())
  await once(node, 'listening')
  const missing: LogsFault[] = []
  const { port } = node.address() as AddressInfo
  const onMissing = (fault: LogsFault) => missing.push(fault)
  const relay = await startNodeRelay(`http://127.0.0.1:${port}`, { onShort: () => {}, onMissing })
  const read = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ blockHash }] })
    return ((await (await fetch(relay, { method: 'POST', body })).json()) as { result: unknown }).result
  }
  expect(await read()).to.deep.equal(logs)
  expect(missing).to.deep.equal([{ blockNumber: 7n, blockHash }])
  logs = [log('0x0'), log('0x1')]
  for (const _ of ['asked anew', 'known']) expect(await read()).to.deep.equal(logs)
  expect(asked).to.equal(2)
})
