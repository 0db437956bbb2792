import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, parseGwei, serializeErc6492Signature } from 'viem'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { sellerUrns } from '../../../protocol/payments/nonces.ts'
import { termsHash } from '../../../protocol/payments/terms.ts'
import { balanceOf, depositFrom } from '../../kit/chain/custody.ts'
import { deployWalletFactory, type FutureWallet, futureWallet, installMulticall } from '../../kit/chain/futureWallet.ts'
import { freeAccount, mineBlocks, mined, mintUsdc, newSale, newTerms, roleAccount } from '../../kit/chain/payments.ts'
import {
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  blocksLater,
  currentOutcome,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { type OpenDesk, openDesk } from '../../kit/facilitator/x402/desk.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n

describe('a wallet that is still to be deployed (ERC-6492)', { timeout: 300_000 }, () => {
  let bench: Bench
  let factory: Address
  let wallet: FutureWallet
  let desk: OpenDesk | undefined
  const owner = freeAccount(0)
  const seller = freeAccount(1)

  const open = async (factories: readonly Address[], overrides: Record<string, string> = {}) => {
    desk = await openDesk(bench, { WALLET_FACTORIES: factories.join(','), ...overrides })
    return desk
  }
  const newWallet = async () => {
    wallet = await futureWallet(bench.chain, factory, owner)
    await mintUsdc(bench.chain, wallet.address, PRICE)
    return wallet
  }
  const newDeposit = async () => {
    const nonce: Hex = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
    return wallet.signTransfer({ to: bench.chain.accounts.hotWallet.address, value: PRICE, nonce })
  }
  const isDeployed = async () => (await bench.chain.client.getCode({ address: wallet.address })) !== undefined

  before(async () => {
    bench = await startBench()
    factory = await deployWalletFactory(bench.chain)
  })

  afterEach(async () => {
    await desk?.stop()
    desk = undefined
    await bench.chain.client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
  })

  after(() => bench.stop())

  test('is not taken where there is no Multicall3 to deploy it with: the facilitator does not act', async () => {
    const refusal = await actHere(bench, { WALLET_FACTORIES: factory }).then(
      () => 'it acts',
      (error: Error) => error.message,
    )
    expect(refusal).to.contain('Multicall3')
    await installMulticall(bench.chain)
  })

  test('pays into the hot wallet, deployed in the transaction that pays', async () => {
    await newWallet()
    const { settle } = await open([factory])
    const authorization = await newDeposit()
    const intent = await request(bench, { kind: 'deposit', authorization })
    expect(await isDeployed()).to.equal(false)
    const settled = await settle(authorization)
    expect(settled).to.deep.include({ success: true, payer: getAddress(wallet.address) })
    expect((await transactionsOf(bench, intent)).map(({ hash }) => hash)).to.deep.equal([settled.transaction])
    expect(await isDeployed()).to.equal(true)
    expect(await balanceOf(bench.chain, wallet.address)).to.equal(0n)
  })

  test('is found valid without being deployed', async () => {
    await newWallet()
    const { verify } = await open([factory], { MAX_FEE_PER_GAS: '1' })
    const authorization = await newDeposit()
    await request(bench, { kind: 'deposit', authorization })
    expect(await verify(authorization)).to.deep.equal({ isValid: true, payer: getAddress(wallet.address) })
    expect(await isDeployed()).to.equal(false)
  })

  test('pays into the escrow as well', async () => {
    await newWallet()
    const { settle } = await open([factory])
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const nonce = termsHash(bench.chain, terms)
    const authorization = await wallet.signTransfer({ to: bench.chain.escrow, value: PRICE, nonce })
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    expect((await settle(authorization)).success).to.equal(true)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('pays when somebody deployed it meanwhile', async () => {
    await newWallet()
    const authorization = await newDeposit()
    const deployer = roleAccount(bench.chain, 'deployer')
    await mined(bench.chain, bench.chain.client.sendTransaction({ account: deployer, ...wallet.deploy }))
    const { settle } = await open([factory])
    await request(bench, { kind: 'deposit', authorization })
    expect((await settle(authorization)).success).to.equal(true)
  })

  test('pays once when somebody deploys it in the same block, ahead of us [risk early-deployment]', async () => {
    const { client, accounts } = bench.chain
    const before = await balanceOf(bench.chain, accounts.hotWallet.address)
    await newWallet()
    const { settle } = await open([factory])
    const authorization = await newDeposit()
    await client.setIntervalMining({ interval: 0 })
    const intent = await request(bench, { kind: 'deposit', authorization })
    await until('its transaction is on file', async () => (await transactionsOf(bench, intent)).length === 1)
    const [sent] = await transactionsOf(bench, intent)
    const account = roleAccount(bench.chain, 'deployer')
    const ahead = { gas: 500_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') }
    const deployment = await client.sendTransaction({ account, ...wallet.deploy, ...ahead })
    await mineBlocks(bench.chain, 1)
    const [theirs, ours] = await Promise.all(
      [deployment, sent?.hash ?? '0x'].map((hash) => client.getTransactionReceipt({ hash: hash as Hex })),
    )
    expect(theirs?.blockNumber).to.equal(ours?.blockNumber)
    expect(theirs?.transactionIndex).to.be.below(ours?.transactionIndex ?? 0)
    await client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
    const settled = await settle(authorization)
    expect(settled).to.deep.include({ success: true, transaction: sent?.hash })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
    expect(await balanceOf(bench.chain, wallet.address)).to.equal(0n)
    expect(await balanceOf(bench.chain, accounts.hotWallet.address)).to.equal(before + PRICE)
  })

  for (const [name, listed] of [
    ['with no factory listed', []],
    ['of a factory that is not listed', ['0x5555555555555555555555555555555555555555']],
  ] as const) {
    test(`is refused ${name}, and its factory is never called [risk hostile-factory]`, async () => {
      await newWallet()
      const { verify } = await open(listed)
      const authorization = await newDeposit()
      const intent = await request(bench, { kind: 'deposit', authorization })
      expect((await verify(authorization)).invalidReason).to.equal('eip6492_factory_not_allowed')
      const refused = { status: 'refused', reason: 'factory_not_allowed', tx_hash: null }
      expect(await outcomeOf(bench, intent)).to.deep.equal(refused)
      expect(await transactionsOf(bench, intent)).to.deep.equal([])
      expect(await isDeployed()).to.equal(false)
    })
  }

  test('is refused with a call that deploys another wallet, and nothing is sent for it [risk other-wallet]', async () => {
    const other = await newWallet()
    await newWallet()
    const { verify } = await open([factory])
    const authorization = await newDeposit()
    const signature = serializeErc6492Signature({
      address: factory,
      data: other.deploy.data,
      signature: '0x1234',
    })
    const forged = { ...authorization, signature }
    const intent = await request(bench, { kind: 'deposit', authorization: forged })
    expect((await verify(forged)).invalidReason).to.equal('invalid_exact_evm_signature')
    await blocksLater(bench, 5)
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    expect(await isDeployed()).to.equal(false)
  })

  test('is paid out to by what it would sign, and by what it signed once it is deployed', async () => {
    const { chain } = bench
    const payee = await futureWallet(chain, factory, seller)
    const message = createSiweMessage({
      ...{ address: getAddress(payee.address), chainId: chain.chainId, domain: 'market.example' },
      ...{ uri: 'https://market.example', version: '1', nonce: generateSiweNonce() },
      resources: sellerUrns(newSale()),
    })
    const binding = { message, signature: await payee.signMessage(message) }
    for (const isDeployedBefore of [false, true]) {
      if (isDeployedBefore) {
        const account = roleAccount(chain, 'deployer')
        await mined(chain, chain.client.sendTransaction({ account, ...payee.deploy }))
      }
      await newWallet()
      const { settle } = await open([factory])
      const authorization = await newDeposit()
      await request(bench, { kind: 'deposit', authorization })
      const { transaction } = await settle(authorization)
      const deposit = depositFrom(authorization, transaction as Hex)
      const payout = {
        kind: 'payout',
        deposit,
        leg: 'payee',
        to: getAddress(payee.address),
        amount: PRICE,
        binding,
        sale: newSale(),
      } as const
      expect(await outcomeOf(bench, await request(bench, payout))).to.deep.include({ status: 'confirmed' })
      await desk?.stop()
    }
    expect(await balanceOf(chain, payee.address)).to.equal(2n * PRICE)
  })

  test('signed by somebody else than its owner is refused', async () => {
    await newWallet()
    const { verify } = await open([factory])
    const fair = await newDeposit()
    const { address, deploy } = wallet
    wallet = { ...(await futureWallet(bench.chain, factory, seller)), address, deploy }
    const theirs = await newDeposit()
    expect((await verify({ ...fair, signature: theirs.signature })).invalidReason).to.equal(
      'invalid_exact_evm_signature',
    )
  })
})
