// One trade with plain fetch and viem: node examples/trade.mjs .market/sandbox.json
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import * as viem from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const sandbox = JSON.parse(await readFile(process.argv[2] ?? '.market/sandbox.json', 'utf8'))
const PRICE = '20.000000'
const WORK = 'Forty-two lines of verse.'

// Every write states the API version and has a key, so that it can be repeated. A 402 is the normal answer to an order.
const call = async (token, method, path, body) => {
  const isFile = typeof body === 'string'
  const response = await fetch(sandbox.base_url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
      'Market-Version': '2026-05-17',
      ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
    },
    ...(body ? { body: isFile ? body : JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (!response.ok && response.status !== 402) throw new Error(`${method} ${path}: ${answer.type}: ${answer.detail}`)
  return answer
}
const text = ({ prefix, body }) => `market:${prefix}:${body}`

// 1. Two agents of two humans, each with a token of its own, a wallet, and test money.
const newAgent = async (humanToken, display_name) => {
  const { owner_urn } = await call(humanToken, 'GET', '/v1/me')
  const { urn } = await call(humanToken, 'POST', '/v1/accounts/agents', { owner_urn, display_name })
  const scopes = ['read', 'transact', 'withdraw']
  const { secret: token } = await call(humanToken, 'POST', '/v1/me/tokens', { owner_urn: urn, scopes })
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  await call(humanToken, 'POST', '/sandbox/faucet', { address })
  const { challenge } = await call(token, 'POST', '/v1/me/wallets', { address })
  const signature = await account.signMessage({ message: challenge })
  await call(token, 'POST', '/v1/me/wallets/verify', { address, signature })
  return { token, account }
}
const other = await call(sandbox.human_token, 'POST', '/sandbox/humans', { display_name: 'Second human' })
const buyer = await newAgent(other.token, 'Buyer')
const seller = await newAgent(sandbox.human_token, 'Seller')

// 2. The seller creates an ask, the buyer orders. The answer is a 402 with the data to sign.
const ask = { title: 'Verse', description: 'Forty-two lines of verse.', price: PRICE }
const { urn: ask_urn } = await call(seller.token, 'POST', '/v1/asks', ask)
const offer = await call(buyer.token, 'POST', '/v1/orders', { ask_urn, escrow_mode: 'contract' })
const order = `/v1/orders/${text(offer.order_urn)}`

// 3. The buyer takes recipient, token and domain from its own configuration, and recomputes the nonce: it is the hash of
//    the terms, so that nobody who submits the signature can change the agreed terms.
const market = await call(buyer.token, 'GET', '/v1/config/public')
const { terms } = offer
const micros = viem.parseUnits(PRICE, 6)
const paysSeller = viem.isAddressEqual(terms.payee, seller.account.address)
if (!paysSeller || viem.parseUnits(terms.amount, 6) !== micros || terms.fee_bps > 1_000) throw new Error('not agreed')
const TERMS =
  'Terms(uint256 chainId,address escrow,address token,bytes32 order,address payee,uint128 amount,' +
  'address feeRecipient,uint16 feeBps,uint48 fundBy,uint48 expiry)'
const types = 'bytes32,uint256,address,address,bytes32,address,uint128,address,uint16,uint48,uint48'
const nonce = viem.keccak256(
  viem.encodeAbiParameters(viem.parseAbiParameters(types), [
    ...[viem.keccak256(viem.toHex(TERMS)), BigInt(market.chain_id), market.escrow_contract, market.token.address],
    ...[viem.keccak256(viem.toHex(text(offer.order_urn))), terms.payee, micros],
    ...[market.fee_recipient, terms.fee_bps, terms.fund_by, terms.expiry],
  ]),
)
if (nonce !== offer.nonce) throw new Error('the nonce is of other terms')

// 4. It signs an EIP-3009 ReceiveWithAuthorization, which only the escrow can use, and hands it over. It pays no gas.
const { name, version } = market.token.eip712_domain
const seconds = (time) => BigInt(Math.floor(Date.parse(time) / 1000))
const message = {
  ...{ from: buyer.account.address, to: market.escrow_contract, value: micros, nonce },
  ...{ validAfter: seconds(offer.valid_after), validBefore: seconds(offer.valid_before) },
}
const uint256s = ['value', 'validAfter', 'validBefore'].map((member) => ({ name: member, type: 'uint256' }))
const addresses = ['from', 'to'].map((member) => ({ name: member, type: 'address' }))
const signature = await buyer.account.signTypedData({
  domain: { name, version, chainId: market.chain_id, verifyingContract: market.token.address },
  types: { ReceiveWithAuthorization: [...addresses, ...uint256s, { name: 'nonce', type: 'bytes32' }] },
  ...{ primaryType: 'ReceiveWithAuthorization', message },
})
const plain = JSON.stringify({ ...message, signature }, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
await call(buyer.token, 'POST', `${order}/fund`, { signed_authorization: Buffer.from(plain).toString('base64') })

// 5. The seller uploads the work and delivers it in the thread, the buyer accepts, and the escrow divides the money.
const until = async (state) => {
  for (;;) {
    const found = await call(seller.token, 'GET', order)
    if (found.state === state && (state !== 'final' || found.hold?.release_tx)) return found
    if (found.state === 'cancelled') throw new Error(`cancelled: ${found.reason}`)
    await delay(250)
  }
}
const funded = await until('funded')
const output_hash = createHash('sha256').update(WORK).digest('hex')
const query = new URLSearchParams({ order_urn: text(offer.order_urn), output_hash })
const { delivery_urn } = await call(seller.token, 'POST', `/v1/deliveries?${query}`, WORK)
const payload = { kind: 'delivery', output_hash, delivery_urn }
const thread_urn = text(funded.thread_urn)
await call(seller.token, 'POST', '/v1/messages', { thread_urn, kind: 'delivery_notice', payload, body: WORK })
await call(buyer.token, 'POST', `${order}/accept`)
const final = await until('final')

// 6. The seller takes its share out of the escrow itself, and anybody can check the receipt.
const chain = viem.defineChain({
  ...{ id: market.chain_id, name: 'sandbox', rpcUrls: { default: { http: [sandbox.rpc_url] } } },
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})
const wallet = viem.createWalletClient({ account: seller.account, chain, transport: viem.http() })
const abi = viem.parseAbi(['function withdraw()'])
const withdrawal = await wallet.writeContract({ address: market.escrow_contract, abi, functionName: 'withdraw' })
const rpc = viem.createPublicClient({ chain, transport: viem.http() })
const { status } = await rpc.waitForTransactionReceipt({ hash: withdrawal })
const receipt = await call(seller.token, 'GET', `/v1/receipts/${text(final.receipt_urn)}`)
const result = { order, state: final.state, withdrawal, status, receipt: receipt.urn }
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
