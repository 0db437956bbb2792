// What the page has a person do: to send money on the chain, and to sign up in the console and mint tokens.
import { readFileSync } from 'node:fs'
import { type Address, createTestClient, http, parseAbi, parseEther, walletActions } from 'viem'
import { sandboxAccounts } from '../../../ignition/sandboxAccounts.ts'
import { newAuthenticator } from '../../kit/api/identity/passkeys/authenticator.ts'
import { BASE_USDC } from './base.ts'

const MINT = parseAbi(['function mint(address to, uint256 amount) returns (bool)'])
const [act, place = ''] = process.argv.slice(2)
if (act === 'gas') await sendGas()
else if (act === 'tokens') await signUp(place)
else if (act === 'money') await sendMoney()
else throw new Error(`nobody knows how to ${act}`)

function addressIn(file: string): Address {
  return readFileSync(file, 'utf8').trim() as Address
}

function openNode() {
  return createTestClient({ mode: 'hardhat', transport: http(place) }).extend(walletActions)
}

async function sendGas(): Promise<void> {
  for (const name of ['deployer', 'submitter_keys', 'resolver_key'])
    await openNode().setBalance({ address: addressIn(`/root/offline/${name}.address`), value: parseEther('0.05') })
}

async function sendMoney(): Promise<void> {
  const node = openNode()
  await node.setBalance({ address: addressIn('/root/trade/seller.address'), value: parseEther('0.005') })
  await node.writeContract({
    ...{ address: BASE_USDC, abi: MINT, functionName: 'mint' },
    args: [addressIn('/root/trade/buyer.address'), 2_000_000n],
    ...{ account: sandboxAccounts().minter.address, chain: null },
  })
}

/** Prints the tokens of two agents of somebody new, a line each. */
async function signUp(baseUrl: string): Promise<void> {
  const { origin, hostname } = new URL(baseUrl)
  let cookie = ''
  const post = async (path: string, body: object) => {
    const headers = { origin, cookie, 'content-type': 'application/json', 'market-version': '2026-05-17' }
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return JSON.parse(text)
  }
  const passkey = newAuthenticator({ origin, rpId: hostname })
  const options = await post('/v1/me/passkeys/sign_up/options', { display_name: 'Ada', email: 'ada@example.com' })
  const { human_urn: human } = await post('/v1/me/passkeys/sign_up/verify', { credential: passkey.create(options) })
  for (const display_name of ['Seller', 'Buyer']) {
    const { urn } = await post('/v1/accounts/agents', { owner_urn: human, display_name })
    const token = await post('/v1/me/tokens', { owner_urn: urn, scopes: ['read', 'transact', 'withdraw'] })
    process.stdout.write(`${token.secret}\n`)
  }
}
