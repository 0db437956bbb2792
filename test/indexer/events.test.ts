import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { type ContractFunctionArgs, type EncodeFunctionDataParameters, encodeFunctionData } from 'viem'
import { openRpc } from '../../api/payments/chain/nodes.ts'
import type { ProcessSpec } from '../../cli/machine/process.ts'
import { compareWithChain } from '../../indexer/completeness.ts'
import { readIndexerEnvironment } from '../../indexer/env.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { payoutNonce } from '../../protocol/payments/nonces.ts'
import { holdId, termsHash } from '../../protocol/payments/terms.ts'
import { startLiar } from '../kit/chain/liar.ts'
import { startChain, type TestChain } from '../kit/chain/node.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForCustody,
  signForHold,
  signTransfer,
  submitToToken,
} from '../kit/chain/payments.ts'
import {
  deploySequence,
  inOneTransaction,
  pretence,
  submission,
  transfer,
  transferFrom,
} from '../kit/chain/sequence.ts'
import { indexed, indexerSpec, startIndexer } from '../kit/indexer/indexer.ts'
import { startIndexDatabase, type TestIndex } from '../kit/stack/indexDatabase.ts'

const PRICE = 20_000_000n
const STRAY_DELAY_SECONDS = 4 * 86_400
const lower = (hex: string) => hex.toLowerCase()

describe('the index of the chain', () => {
  let chain: TestChain
  let database: TestIndex
  let client: pg.Client
  let spec: ProcessSpec
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const rowsOf = (table: string, condition: string) =>
    indexed(chain, client, `select * from chain.${table} where ${condition} order by block_number, log_index`)

  const fund = async (terms: Awaited<ReturnType<typeof newTerms>>) => {
    const signed = await signForHold(chain, buyer, terms)
    return mined(
      chain,
      chain.client.writeContract({
        account: roleAccount(chain, 'submitter'),
        address: chain.escrow,
        abi: escrowAbi,
        functionName: 'fund',
        args: [terms, buyer.address, signed.validAfter, signed.validBefore, signed.signature],
      }),
    )
  }
  const release = async (terms: Awaited<ReturnType<typeof newTerms>>) =>
    mined(
      chain,
      chain.client.writeContract({
        account: roleAccount(chain, 'resolver'),
        address: chain.escrow,
        abi: escrowAbi,
        functionName: 'release',
        args: [terms, buyer.address, [seller.address, terms.feeRecipient], [19_000_000n, 1_000_000n]],
      }),
    )

  const resolve = <Name extends 'announceAdopt' | 'adopt' | 'announceReturnStray' | 'returnStray'>(
    functionName: Name,
    args: ContractFunctionArgs<typeof escrowAbi, 'nonpayable', Name>,
  ) => {
    const call = { abi: escrowAbi, functionName, args } as unknown as EncodeFunctionDataParameters
    const account = roleAccount(chain, 'resolver')
    return mined(chain, chain.client.sendTransaction({ account, to: chain.escrow, data: encodeFunctionData(call) }))
  }

  before(async () => {
    ;[chain, database] = await Promise.all([startChain(), startIndexDatabase()])
    await mintUsdc(chain, buyer.address, 1_000_000_000n)
    spec = await indexerSpec(chain, database)
    await startIndexer(spec)
    client = new pg.Client(database.url)
    await client.connect()
  })

  after(async () => {
    await client.end()
    await chain.stop()
    await database.stop()
  })

  test('a hold carries its terms, its place, and the payment that began it', async () => {
    const terms = await newTerms(chain, seller.address, PRICE)
    const receipt = await fund(terms)
    const hash = termsHash(chain, terms)
    const id = holdId(hash, buyer.address)
    const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber })
    const place = {
      chain_id: chain.chainId,
      block_number: String(receipt.blockNumber),
      block_hash: receipt.blockHash,
      block_timestamp: String(timestamp),
      transaction_hash: receipt.transactionHash,
    }
    expect(await rowsOf('holds', `hold_id = '${id}'`)).to.deep.equal([
      {
        ...place,
        log_index: 2,
        hold_id: id,
        terms_hash: hash,
        order_key: terms.order,
        payer: lower(buyer.address),
        payee: lower(seller.address),
        amount_micros: String(PRICE),
        fee_recipient: lower(terms.feeRecipient),
        fee_bps: 500,
        fund_by: String(terms.fundBy),
        expiry: String(terms.expiry),
        adopted: false,
      },
    ])
    expect(await rowsOf('token_transfers', `hold_id = '${id}'`)).to.deep.equal([
      {
        ...place,
        log_index: 1,
        sender: lower(buyer.address),
        recipient: lower(chain.escrow),
        amount_micros: String(PRICE),
        authorization_nonce: hash,
        hold_id: id,
      },
    ])
    expect(await rowsOf('authorizations_used', `nonce = '${hash}'`)).to.deep.equal([
      { ...place, log_index: 0, authorizer: lower(buyer.address), nonce: hash },
    ])
  })

  test('a release shows its split, and what its parties can withdraw', async () => {
    const terms = await newTerms(chain, seller.address, PRICE)
    await fund(terms)
    await release(terms)
    const id = holdId(termsHash(chain, terms), buyer.address)
    expect(await rowsOf('releases', `hold_id = '${id}'`)).to.containSubset([
      { payer_micros: '0', payee_micros: '19000000', fee_micros: '1000000', cause: 0, order_key: terms.order },
    ])
    const ofSeller = `account = '${lower(seller.address)}'`
    expect(await rowsOf('claimable_balances', ofSeller)).to.containSubset([
      { credited_micros: '19000000', withdrawn_micros: '0', claimable_micros: '19000000' },
    ])
    const withdraw = { account: seller, address: chain.escrow, abi: escrowAbi, functionName: 'withdraw' } as const
    await mined(chain, chain.client.writeContract(withdraw))
    expect(await rowsOf('withdrawals', ofSeller)).to.containSubset([
      { amount_micros: '19000000', recipient: lower(seller.address) },
    ])
    expect(await rowsOf('claimable_balances', ofSeller)).to.containSubset([
      { credited_micros: '19000000', withdrawn_micros: '19000000', claimable_micros: '0' },
    ])
    const more = await newTerms(chain, seller.address, PRICE)
    await fund(more)
    await release(more)
    await mined(chain, chain.client.writeContract(withdraw))
    expect(await rowsOf('claimable_balances', ofSeller)).to.containSubset([
      { credited_micros: '38000000', withdrawn_micros: '38000000', claimable_micros: '0' },
    ])
  })

  test('a signed payment taken straight to the token has its nonce and no hold, and an adopted hold no payment', async () => {
    const terms = await newTerms(chain, seller.address, PRICE)
    const signed = await signForHold(chain, buyer, terms)
    const paid = await submitToToken(chain, signed)
    await resolve('announceAdopt', [terms, buyer.address])
    await chain.client.increaseTime({ seconds: STRAY_DELAY_SECONDS })
    const adopted = await resolve('adopt', [terms, buyer.address])
    expect(await rowsOf('token_transfers', `transaction_hash = '${paid.transactionHash}'`)).to.containSubset([
      { authorization_nonce: signed.nonce, hold_id: null },
    ])
    expect(await rowsOf('holds', `transaction_hash = '${adopted.transactionHash}'`)).to.containSubset([
      { adopted: true, terms_hash: signed.nonce },
    ])
  })

  test('an unsigned transfer has no nonce, and one between strangers is not indexed', async () => {
    const send = (to: `0x${string}`) =>
      mined(
        chain,
        chain.client.writeContract({
          account: buyer,
          address: chain.token,
          abi: tokenAbi,
          functionName: 'transfer',
          args: [to, 1n],
        }),
      )
    const dust = await send(chain.accounts.hotWallet.address)
    const other = await send(seller.address)
    // Anybody can make the token log a transfer of nothing, out of any account.
    const nothing = { address: chain.token, abi: tokenAbi, functionName: 'transferFrom', account: buyer } as const
    const zeros = [
      [chain.escrow, buyer.address],
      [buyer.address, chain.escrow],
      [chain.accounts.hotWallet.address, seller.address],
    ] as const
    for (const [from, to] of zeros) {
      const { transactionHash, status } = await mined(
        chain,
        chain.client.writeContract({ ...nothing, args: [from, to, 0n] }),
      )
      expect(status).to.equal('success')
      expect(await rowsOf('token_transfers', `transaction_hash = '${transactionHash}'`)).to.deep.equal([])
    }
    expect(await rowsOf('token_transfers', `transaction_hash = '${dust.transactionHash}'`)).to.containSubset([
      { authorization_nonce: null, amount_micros: '1' },
    ])
    expect(await rowsOf('token_transfers', `transaction_hash = '${other.transactionHash}'`)).to.deep.equal([])
  })

  test("a nonce spent on oneself, or in a made-up event, is not the next payment's in the transaction", async () => {
    const sequence = await deploySequence(chain)
    await mintUsdc(chain, sequence, PRICE)
    const approve = { account: buyer, address: chain.token, abi: tokenAbi, functionName: 'approve' } as const
    await mined(chain, chain.client.writeContract({ ...approve, args: [sequence, PRICE] }))
    const { nonce } = await signForHold(chain, buyer, await newTerms(chain, seller.address, PRICE))
    const onOneself = await signTransfer(chain, buyer, { to: buyer.address, value: PRICE, nonce })
    const { transactionHash } = await inOneTransaction(chain, sequence, [
      submission(chain, onOneself),
      transferFrom(chain, buyer.address, chain.escrow, PRICE),
      pretence(sequence, sequence, nonce),
      transfer(chain, chain.escrow, PRICE),
    ])
    const transfers = await rowsOf('token_transfers', `transaction_hash = '${transactionHash}'`)
    expect(transfers.map((row) => row.authorization_nonce)).to.deep.equal([null, null])
    expect(await rowsOf('authorizations_used', `nonce = '${nonce}'`)).to.deep.equal([])
  })

  test('deposits and payouts of the hot wallet carry their nonces', async () => {
    const deposit = await signForCustody(chain, buyer, PRICE)
    const paidIn = await submitToToken(chain, deposit)
    const hotWallet = roleAccount(chain, 'hotWallet')
    const nonce = payoutNonce({ ...chain, hotWallet: hotWallet.address }, deposit, 'payee')
    const payout = await signTransfer(chain, hotWallet, { to: seller.address, value: 19_000_000n, nonce })
    const paidOut = await submitToToken(chain, payout)
    const hashes = `transaction_hash in ('${paidIn.transactionHash}', '${paidOut.transactionHash}')`
    expect(await rowsOf('token_transfers', hashes)).to.containSubset([
      { recipient: lower(hotWallet.address), authorization_nonce: deposit.nonce, hold_id: null },
      { sender: lower(hotWallet.address), recipient: lower(seller.address), authorization_nonce: nonce },
    ])
  })

  test('a transfer between two of our own addresses, or from one to itself, is there once', async () => {
    const hotWallet = roleAccount(chain, 'hotWallet')
    const deposit = await signForCustody(chain, buyer, PRICE)
    await submitToToken(chain, deposit)
    for (const to of [chain.escrow, hotWallet.address]) {
      const nonce = payoutNonce({ ...chain, hotWallet: hotWallet.address }, { ...deposit, from: to }, 'payee')
      const moved = await submitToToken(chain, await signTransfer(chain, hotWallet, { to, value: 7n, nonce }))
      expect(await rowsOf('token_transfers', `transaction_hash = '${moved.transactionHash}'`)).to.containSubset([
        { sender: lower(hotWallet.address), recipient: lower(to), authorization_nonce: nonce, amount_micros: '7' },
      ])
      expect(await rowsOf('token_transfers', `authorization_nonce = '${nonce}'`)).to.have.length(1)
    }
  })

  test('a returned stray, a pause and the resolver are there', async () => {
    const stray = await signTransfer(chain, buyer, { to: chain.escrow, value: 5n, nonce: `0x${'ab'.repeat(32)}` })
    await submitToToken(chain, stray)
    const call = { address: chain.escrow, abi: escrowAbi } as const
    await resolve('announceReturnStray', [buyer.address, stray.nonce, 5n])
    await chain.client.increaseTime({ seconds: STRAY_DELAY_SECONDS })
    await resolve('returnStray', [buyer.address, stray.nonce, 5n])
    const pauser = roleAccount(chain, 'deployer')
    await mined(chain, chain.client.writeContract({ ...call, account: pauser, functionName: 'pause' }))
    await mined(chain, chain.client.writeContract({ ...call, account: pauser, functionName: 'unpause' }))
    expect(await rowsOf('strays_returned', `nonce = '${stray.nonce}'`)).to.containSubset([
      { payer: lower(buyer.address), amount_micros: '5' },
    ])
    const pauses = await rowsOf('pauses', 'true')
    expect(pauses.map((row) => row.paused_until !== null)).to.deep.equal([true, false])
    expect(await rowsOf('resolver_changes', 'true')).to.containSubset([
      { resolver: lower(chain.accounts.resolver.address) },
    ])
  })

  test('what is announced for a stray payment is there, whatever amount it names, and that it was cancelled', async () => {
    const terms = await newTerms(chain, seller.address, PRICE)
    const signed = await signForHold(chain, buyer, terms)
    await submitToToken(chain, signed)
    const most = 2n ** 256n - 1n
    const adoption = await resolve('announceAdopt', [terms, buyer.address])
    await resolve('announceReturnStray', [buyer.address, signed.nonce, most])
    const cancel = { address: chain.escrow, abi: escrowAbi, functionName: 'cancelStray' } as const
    const args = [buyer.address, signed.nonce] as const
    const pauser = roleAccount(chain, 'deployer')
    await mined(chain, chain.client.writeContract({ ...cancel, account: pauser, args }))
    const { timestamp } = await chain.client.getBlock({ blockNumber: adoption.blockNumber })
    const rows = await rowsOf('stray_announcements', `nonce = '${signed.nonce}'`)
    expect(rows).to.containSubset([
      {
        payer: lower(buyer.address),
        action: 1,
        amount: String(PRICE),
        available_at: String(timestamp + BigInt(STRAY_DELAY_SECONDS)),
      },
      { action: 2, amount: String(most) },
      { action: 0, amount: null, available_at: null },
    ])
    expect(rows).to.have.length(3)
  })

  test('all of it is what the node logs, and with a row too few or too many it is not', async () => {
    const env = readIndexerEnvironment(spec.env)
    const { rows } = await client.query<{ schema: string }>(
      `select nspname as schema from pg_namespace where starts_with(nspname, 'indexer_3')`,
    )
    const index = { env, client: openRpc(chain.rpcUrl), schema: rows[0]?.schema ?? '' }
    await rowsOf('holds', 'true')
    const range = { from: 0n, to: await chain.client.getBlockNumber() }
    const compared = (read = index) => compareWithChain(read, client, range)
    expect(await compared()).to.deep.equal({ missing: [], unknown: [] })
    const [hold] = await rowsOf('holds', 'true')
    const [pause] = await rowsOf('pauses', 'true')
    const changes: [string, { missing: bigint[]; unknown: bigint[] }][] = [
      [
        `delete from ${index.schema}.holds where hold_id = '${hold?.hold_id}'`,
        { missing: [BigInt(hold?.block_number)], unknown: [] },
      ],
      [
        `update ${index.schema}.pauses set block_hash = '0x12' where block_number = ${pause?.block_number}`,
        { missing: [BigInt(pause?.block_number)], unknown: [BigInt(pause?.block_number)] },
      ],
    ]
    for (const [change, difference] of changes) {
      await client.query('begin')
      // Past Ponder's triggers, which count on tables of its own session.
      await client.query('set local session_replication_role = replica')
      await client.query(change)
      expect(await compared()).to.deep.equal(difference)
      await client.query('rollback')
    }
    // What a node leaves out of a range is still in its blocks.
    const liar = await startLiar(chain)
    liar.twist('eth_getLogs', (logs) => (logs as unknown[]).filter((_, place) => place % 2 === 0))
    expect(await compared({ ...index, client: liar.client })).to.deep.equal({ missing: [], unknown: [] })
    liar.stop()
  })
})
