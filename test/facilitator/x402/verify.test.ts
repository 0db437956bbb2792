import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { receiveAuthorizationTypedData, type SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { cancelAuthorization } from '../../kit/chain/cancel.ts'
import { deployContractWallet } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForCustody,
  signForHold,
  signTransfer,
} from '../../kit/chain/payments.ts'
import { type Bench, request, startBench } from '../../kit/facilitator/facilitator.ts'
import { type Changes, type OpenDesk, openDesk } from '../../kit/facilitator/x402/desk.ts'

const PRICE = 20_000_000n
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const STRANGER = '0x5555555555555555555555555555555555555555'
// INVALID: the code fails without a revert, and says no more.
const FAILING_CODE = '0xfe'

interface Hostile {
  name: string
  /** The payment presented; one that is fair in every respect by default. */
  payment?: () => Promise<SignedAuthorization>
  changes?: (bench: Bench) => Changes
  reason: string
}

describe('a verify call', { timeout: 300_000 }, () => {
  let bench: Bench
  let desk: OpenDesk
  let wallet: Address
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const poor = freeAccount(2)

  const fair = async (payer = buyer) => {
    const authorization = await signForCustody(bench.chain, payer, PRICE)
    await request(bench, { kind: 'deposit', authorization })
    return authorization
  }
  const now = async () => (await bench.chain.client.getBlock()).timestamp
  const hotWallet = () => bench.chain.accounts.hotWallet.address
  const signed = async (changes: Partial<SignedAuthorization>) =>
    signTransfer(bench.chain, buyer, { to: hotWallet(), value: PRICE, nonce: randomNonce(), ...changes })
  const changed = async (changes: Partial<SignedAuthorization>) => ({ ...(await fair()), ...changes })

  before(async () => {
    bench = await startBench()
    wallet = await deployContractWallet(bench.chain, buyer.address)
    // Before the facilitator looks: what it sees on file it judges by the head it knows.
    for (const payer of [seller.address, freeAccount(5).address, freeAccount(6).address, wallet]) {
      await mintUsdc(bench.chain, payer, PRICE)
    }
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    // Nothing is sent while fees are what nobody pays: what is on file stays open.
    desk = await openDesk(bench, { MAX_FEE_PER_GAS: '1' })
  })

  after(async () => {
    await desk.stop()
    await bench.stop()
  })

  afterEach(() => bench.proxy.intercept(undefined))

  test('takes a payment on file into the hot wallet', async () => {
    expect(await desk.verify(await fair())).to.deep.equal({ isValid: true, payer: buyer.address })
  })

  test('takes a payment on file into the escrow', async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const authorization = await signForHold(bench.chain, buyer, terms)
    await request(bench, { kind: 'fund', terms, authorization })
    expect(await desk.verify(authorization)).to.deep.equal({ isValid: true, payer: buyer.address })
  })

  test('takes what a contract wallet accepts, and not its owner’s bare word for another', async () => {
    const authorization = await signed({ from: wallet })
    await request(bench, { kind: 'deposit', authorization })
    expect(await desk.verify(authorization)).to.deep.equal({ isValid: true, payer: getAddress(wallet) })
    const other = await signTransfer(bench.chain, poor, { ...authorization, from: wallet })
    expect((await desk.verify({ ...authorization, signature: other.signature })).invalidReason).to.equal(
      'invalid_exact_evm_signature',
    )
  })

  const hostile: Hostile[] = [
    {
      name: 'another scheme',
      changes: () => ({ requirements: { scheme: 'upto' } }),
      reason: 'invalid_exact_evm_scheme',
    },
    {
      name: 'another scheme accepted than asked for',
      changes: () => ({ accepted: { scheme: 'auth-capture' } }),
      reason: 'invalid_exact_evm_scheme',
    },
    {
      name: 'another network',
      changes: () => ({ requirements: { network: 'eip155:1' }, accepted: { network: 'eip155:1' } }),
      reason: 'invalid_exact_evm_network_mismatch',
    },
    {
      name: 'another network accepted than asked for [risk other-offer]',
      changes: () => ({ accepted: { network: 'eip155:8453' } }),
      reason: 'invalid_exact_evm_network_mismatch',
    },
    {
      name: 'another token',
      changes: () => ({ requirements: { asset: STRANGER } }),
      reason: 'invalid_payment_requirements',
    },
    {
      name: 'no token domain',
      changes: () => ({ requirements: { extra: {} } }),
      reason: 'invalid_exact_evm_missing_eip712_domain',
    },
    {
      name: 'another token name',
      changes: ({ chain }) => ({ requirements: { extra: { ...chain.tokenNames, name: 'USD Coin ' } } }),
      reason: 'invalid_exact_evm_token_name_mismatch',
    },
    {
      name: 'another token version',
      changes: ({ chain }) => ({ requirements: { extra: { ...chain.tokenNames, version: '1' } } }),
      reason: 'invalid_exact_evm_token_version_mismatch',
    },
    {
      name: 'a recipient that is not ours',
      payment: () => signed({ to: STRANGER }),
      reason: 'invalid_exact_evm_recipient_mismatch',
    },
    {
      name: 'another recipient than asked for',
      changes: ({ chain }) => ({ requirements: { payTo: chain.escrow } }),
      reason: 'invalid_exact_evm_recipient_mismatch',
    },
    {
      name: 'a micro-unit less than asked for',
      changes: () => ({ requirements: { amount: String(PRICE + 1n) } }),
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    },
    {
      name: 'a micro-unit more than asked for',
      changes: () => ({ requirements: { amount: String(PRICE - 1n) } }),
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    },
    {
      name: 'another amount accepted than asked for [risk other-offer]',
      changes: () => ({ accepted: { amount: '1' } }),
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    },
    {
      name: 'five seconds left',
      payment: async () => signed({ validBefore: (await now()) + 5n }),
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    },
    {
      name: 'a validity that begins later',
      payment: async () => signed({ validAfter: (await now()) + 600n }),
      reason: 'invalid_exact_evm_payload_authorization_valid_after',
    },
    {
      name: 'a member changed after it was signed',
      payment: async () => changed({ validBefore: (await now()) + 7_000n }),
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'another payer than the signer',
      payment: () => changed({ from: seller.address }),
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'a signature over ReceiveWithAuthorization',
      payment: async () => {
        const { signature: _signature, ...message } = await fair()
        const { chain } = bench
        const domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
        return { ...message, signature: await buyer.signTypedData(receiveAuthorizationTypedData(domain, message)) }
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'the mirrored signature',
      payment: async () => {
        const authorization = await fair()
        return { ...authorization, signature: mirrored(authorization.signature) }
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'a signature of 64 bytes (EIP-2098)',
      payment: async () => {
        const authorization = await fair()
        return { ...authorization, signature: authorization.signature.slice(0, 130) as Hex }
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'the key’s own signature where the account has delegated its code (EIP-7702)',
      payment: async () => {
        const authorization = await fair(freeAccount(5))
        await delegate(freeAccount(5), await deployContractWallet(bench.chain, seller.address))
        return authorization
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'a wallet whose code fails',
      payment: async () => {
        const authorization = await fair(freeAccount(6))
        await bench.chain.client.setCode({ address: authorization.from, bytecode: FAILING_CODE })
        return authorization
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'a wallet whose code fails without a revert, as geth tells of it',
      payment: async () => {
        const failure = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32000, message: 'invalid opcode: INVALID' },
        })
        bench.proxy.intercept(async ({ method, params: [call] }, forward) => {
          // By init code that calls the wallet, which is deployed nowhere.
          const isAsked = method === 'eth_call' && (call as { to?: string }).to === undefined
          return isAsked ? failure : forward()
        })
        return signed({ from: wallet })
      },
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'an ERC-6492 wrapper that holds nothing',
      payment: () => changed({ signature: `0x${'00'.repeat(32)}${'6492'.repeat(16)}` }),
      reason: 'invalid_exact_evm_signature',
    },
    {
      name: 'an authorization that was cancelled',
      payment: async () => {
        const authorization = await fair()
        await cancelAuthorization(bench.chain, buyer, authorization)
        return authorization
      },
      reason: 'invalid_exact_evm_nonce_already_used',
    },
    {
      name: 'a payer without the money',
      payment: () => fair(poor),
      reason: 'invalid_exact_evm_insufficient_balance',
    },
    {
      name: 'a payment that no order has claimed',
      payment: () => signed({}),
      reason: 'payment_not_on_file',
    },
    {
      name: 'another payment under the nonce of one on file',
      payment: async () => signed({ nonce: (await fair()).nonce, value: PRICE - 1n }),
      reason: 'payment_not_on_file',
    },
  ]

  for (const { name, payment = fair, changes = () => ({}), reason } of hostile) {
    test(`refuses ${name}`, async () => {
      const answer = await desk.verify(await payment(), changes(bench))
      expect(answer.isValid).to.equal(false)
      expect(answer.invalidReason, answer.invalidMessage).to.equal(reason)
    })
  }

  test('refuses what the call itself would meet: a token that has blocked the payer, an escrow that is paused', async () => {
    const { chain } = bench
    const account = roleAccount(chain, 'deployer')
    const token = { account, address: chain.token, abi: tokenAbi, args: [seller.address] } as const
    const blocked = await fair(seller)
    await mined(chain, chain.client.writeContract({ ...token, functionName: 'blacklist' }))
    expect(await desk.verify(blocked)).to.deep.include({
      invalidReason: 'invalid_exact_evm_transaction_simulation_failed',
      invalidMessage: 'The chain does not take this payment: blacklisted.',
    })
    await mined(chain, chain.client.writeContract({ ...token, functionName: 'unBlacklist' }))
    const terms = await newTerms(chain, freeAccount(4).address, PRICE)
    const authorization = await signForHold(chain, buyer, terms)
    await request(bench, { kind: 'fund', terms, authorization })
    await mined(
      chain,
      chain.client.writeContract({ account, address: chain.escrow, abi: escrowAbi, functionName: 'pause' }),
    )
    expect((await desk.verify(authorization)).invalidMessage).to.contain('escrow_paused')
  })

  /** Has an account run a contract's code from now on. */
  async function delegate(account: typeof buyer, contractAddress: Address): Promise<void> {
    const { client, chainId } = bench.chain
    const nonce = await client.getTransactionCount({ address: account.address })
    const authorization = await account.signAuthorization({ contractAddress, chainId, nonce })
    const sender = roleAccount(bench.chain, 'deployer')
    const delegation = { account: sender, to: sender.address, authorizationList: [authorization] }
    await mined(bench.chain, client.sendTransaction(delegation))
    expect(await client.getCode({ address: account.address })).to.contain('0xef0100')
  }
})

function randomNonce(): Hex {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
}

function mirrored(signature: Hex): Hex {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}
