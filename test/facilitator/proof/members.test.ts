import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, numberToHex, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { WalletSight } from '../../../facilitator/context/records.ts'
import type { Pass } from '../../../facilitator/evidence/pass.ts'
import { distributionOf, legOf } from '../../../facilitator/proof/distribution.ts'
import { isProved } from '../../../facilitator/proof/internal/proof.ts'
import { signSight } from '../../../facilitator/proof/knownWallets.ts'
import { canonicalJson } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { type PublicKeyJwk, publicKeyJwk, signDocument } from '../../../protocol/keys/signing.ts'
import { bindingFault } from '../../../protocol/payments/bindingFault.ts'
import type { IntentOf, ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import { custodiedNonce, sellerUrns } from '../../../protocol/payments/nonces.ts'
import { settlementTypedData } from '../../../protocol/payments/settlement.ts'
import { orderKey, termsHash } from '../../../protocol/payments/terms.ts'
import { type VerdictDocument, verdictDocument } from '../../../protocol/records/verdict.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import { another, expectEachMember, membersOf, nameOf, pathsOf } from '../../kit/members.ts'

const address = (seed: number): Address => getAddress(padHex(toHex(seed), { size: 20 }))
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const [payer, seller] = [privateKeyToAccount(hash(71)), privateKeyToAccount(hash(72))]
const hotWallet = privateKeyToAccount(hash(73))
const at: Pass['at'] = {
  ...{ chainId: 31_337, escrow: address(0xe), hotWallet: address(0xa), token: address(0x7), startBlock: 0n },
}
const DOMAIN = 'market.example'
const NOW = 1_800_000_000n
const SEED = '44'.repeat(32)
const SALE = {
  orderId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c',
  agentId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6d',
  ownerId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6e',
}
const OTHER_ID = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6f'
const ORDER = urnString('order', SALE.orderId)
const [PRICE, REFUND, NET] = [20_000_000n, 5_000_000n, 14_250_000n]
const LATER = NOW + 1n
const APPEAL_FEE = 1_000_000n
const LIMITS = { releaseDelaySeconds: 0n, minAppealFeeMicros: APPEAL_FEE }
const BLOCK = { number: 5n, hash: hash(5), timestamp: NOW }
const instant = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const each = <Answer>(names: readonly string[], answer: Answer) => Object.fromEntries(names.map((one) => [one, answer]))

let keys: PublicKeyJwk[]
let sight: WalletSight
before(async () => {
  const wallet = seller.address.toLowerCase() as Address
  const seen = { ownerId: SALE.ownerId, wallet, from: null, seenAt: 1n, dueAt: NOW }
  sight = await signSight({ hotWallet, at }, seen)
  keys = [{ ...(await publicKeyJwk(SEED)), purpose: 'verdicts', valid_until: instant(NOW) }]
})

/** The two logs of the payment of an appeal's fee, whose transaction is named by its nonce. */
const feeLogs = (nonce: Hex) => {
  const [from, to] = [payer.address, at.hotWallet].map((account) => padHex(account).toLowerCase() as Hex)
  const place = { address: at.token, transactionHash: nonce, blockNumber: numberToHex(BLOCK.number) }
  return [
    { ...place, topics: [AUTHORIZATION_USED, from, nonce], data: '0x', logIndex: '0x0' },
    { ...place, topics: [TRANSFER, from, to], data: numberToHex(APPEAL_FEE, { size: 32 }), logIndex: '0x1' },
  ]
}
const asked: Hex[] = []
/** A chain on which every fee of an appeal was paid, and no account is a contract. */
const client = {
  getCode: async () => undefined,
  getBlock: async () => BLOCK,
  readContract: async () => true,
  request: async ({ params: [{ topics }] }: { params: [{ topics: [Hex, null, Hex[]] }] }) => {
    if (topics[0] === AUTHORIZATION_USED) asked.push(...topics[2])
    return asked.flatMap(feeLogs).filter((log) => log.topics[0] === topics[0])
  },
  getTransactionReceipt: async ({ hash: nonce }: { hash: Hex }) => ({
    ...{ status: 'success', blockNumber: BLOCK.number, blockHash: BLOCK.hash, transactionHash: nonce },
    logs: feeLogs(nonce).map((log) => ({ ...log, logIndex: Number(log.logIndex) })),
  }),
}

/** What proof is judged by: keys, places and the time of the chain, on which no account is a contract. */
const pass = () => {
  return {
    ...{ at, domainName: DOMAIN, walletFactories: [], verdictKeys: keys, limits: LIMITS },
    ...{ head: { latest: BLOCK, confirmed: BLOCK, earlierTime: NOW }, client },
    // Every dispute but this one has an appeal.
    store: {
      appealFees: async (disputeId: string) => (disputeId === OTHER_ID ? [] : [APPEAL_FEE]),
      walletSights: async (ownerId: string) => (ownerId === SALE.ownerId ? [sight] : []),
    },
    hotWallet,
  } as unknown as Pass
}

async function sign(by: typeof payer, holder: Address, nonce: Hex, validBefore = LATER): Promise<Hex> {
  const payee = seller.address
  const said = {
    order: ORDER,
    payer: payer.address,
    nonce,
    amount: PRICE,
    refund: REFUND,
    payment: NET,
    payee,
    validBefore,
  }
  return by.signTypedData(settlementTypedData({ chainId: at.chainId, holder }, said))
}

const evidence = { orderId: SALE.orderId, refund: REFUND, payment: NET }
// Of the intent itself, it says of which kind it is, and what nothing has to prove.
const others = { orderId: OTHER_ID, 'evidence.orderId': OTHER_ID, 'sale.orderId': OTHER_ID }
const ids = { ...others, 'sale.agentId': OTHER_ID, 'sale.ownerId': OTHER_ID, kind: 'other' }

describe('the proof that a hold is to be released so', () => {
  const terms = {
    ...{ order: orderKey(SALE.orderId), payee: seller.address, amount: PRICE, feeRecipient: address(0xf), feeBps: 500 },
    ...{ fundBy: 1_790_000_000, expiry: 1_810_000_000 },
  }
  // That all shares sum to the hold is the contract's to check.
  const release: IntentOf<'release'> = {
    ...{ kind: 'release', terms, payer: payer.address },
    ...{ recipients: [seller.address, payer.address], amounts: [NET, REFUND] },
  }
  const isSo = (intent: IntentOf<'release'>) => isProved(pass(), distributionOf(at, intent))
  const ofIntent = {
    ...{ kind: true, payer: false, 'recipients.*': false, 'amounts.*': false },
    ...each(
      Object.keys(terms).map((name) => `terms.${name}`),
      false,
    ),
    ...each(
      Object.keys(evidence).map((name) => `evidence.${name}`),
      false,
    ),
  }

  it('is none of either party when any member is another', async () => {
    const nonce = termsHash(at, terms)
    const approvals: ReleaseEvidence['approvals'] = [
      { by: 'payer', validBefore: LATER, signature: await sign(payer, at.escrow, nonce) },
      { by: 'payee', validBefore: LATER, signature: await sign(seller, at.escrow, nonce) },
    ]
    const agreed = { ...release, evidence: { ...evidence, approvals } }
    expect(await isSo(agreed)).to.equal(true)
    const ofApproval = each(
      ['by', 'validBefore', 'signature'].map((name) => `evidence.approvals.*.${name}`),
      false,
    )
    await expectEachMember(agreed, { ...ofIntent, ...ofApproval }, isSo, ids)
    const late = await Promise.all(
      [payer, seller].map(async (by, index) => ({
        ...{ by: (['payer', 'payee'] as const)[index] ?? 'payer', validBefore: NOW },
        signature: await sign(by, at.escrow, nonce, NOW),
      })),
    )
    expect(await isSo({ ...release, evidence: { ...evidence, approvals: late } })).to.equal(false)
  })

  it('is no verdict when any member is another, of the document too, though it is signed again', async () => {
    const verdict: Required<VerdictDocument> = {
      ...{ verdict_urn: urnString('verdict', OTHER_ID), dispute_urn: urnString('dispute', OTHER_ID), order_urn: ORDER },
      ...{ sequence: 2, supersedes: urnString('verdict', OTHER_ID), opener: 'a' },
      ...{ party_a: urnString('agent', OTHER_ID), party_b: urnString('agent', SALE.agentId) },
      ...{ winner: 'party_b', remedy: 'partial_refund', partial_amount_usdc: '5.000000', price: '20.000000' },
      ...{ split: { buyer: '5.000000', seller: '14.250000', fee: '0.750000' }, grounds: 'Late.', confidence: 0.5 },
      ...{ prompt_version: 'x', arbitrator: { kind: 'rules' }, facts: {}, evidence_sha256: 'ab'.repeat(32) },
      ...{ decided_at: instant(NOW), appeal_until: instant(NOW) },
    }
    const decidedBy = async (document: VerdictDocument): Promise<IntentOf<'release'>> => {
      const signed = { document: canonicalJson(document), ...(await signDocument(document, SEED)) }
      return { ...release, evidence: { ...evidence, approvals: [], verdict: signed } }
    }
    const decided = await decidedBy(verdict)
    expect(await isSo(decided)).to.equal(true)
    const ofVerdict = each(
      ['document', 'keyId', 'signature'].map((name) => `evidence.verdict.${name}`),
      false,
    )
    const otherDocument = canonicalJson({ ...verdict, grounds: 'Later.' })
    const answers = {
      ...{ ...ofIntent, ...ofVerdict, 'evidence.approvals': true },
      // It names the order, its price and who gets what. Which hold of the order that is, the contract knows.
      ...each(
        ['feeRecipient', 'feeBps', 'fundBy', 'expiry'].map((name) => `terms.${name}`),
        true,
      ),
    }
    const approvals = [{ by: 'payer', validBefore: LATER, signature: '0x' }]
    const given = { ...ids, 'evidence.verdict.document': otherDocument, 'evidence.approvals': approvals }
    await expectEachMember(decided, answers, isSo, given)

    const names = membersOf(verdictDocument)
    expect(pathsOf(verdict).map(nameOf).toSorted()).to.deep.equal([...names].toSorted())
    // Whom the money goes to is all that it must say; what was found is for those who read it.
    const decisive = ['order_urn', 'dispute_urn', 'price', 'split.buyer', 'split.seller', 'decided_at', 'appeal_until']
    const ofDocument = { ...each(names, true), ...each(decisive, false) }
    const values = {
      ...{
        order_urn: urnString('order', OTHER_ID),
        dispute_urn: urnString('dispute', SALE.orderId),
        confidence: 0.6,
        remedy: 'full_refund',
        'arbitrator.kind': 'model',
      },
      facts: { of: 'something' },
    }
    await expectEachMember(verdict, ofDocument, async (one) => isSo(await decidedBy(one)), values)
  })
})

describe('the proof that a leg of a deposit is to be paid so', () => {
  const nonce = custodiedNonce(at, SALE, PRICE)
  const deposit = { from: payer.address, nonce, amount: PRICE, txHash: hash(9) }
  let binding: { message: string; signature: Hex }
  let approvals: ReleaseEvidence['approvals']
  before(async () => {
    const message = createSiweMessage({
      ...{ address: seller.address, chainId: at.chainId, domain: DOMAIN, uri: `https://${DOMAIN}`, version: '1' },
      ...{ nonce: 'abcdefgh12', issuedAt: new Date(0), resources: [sellerUrns(SALE)[0]] },
    })
    binding = { message, signature: await seller.signMessage({ message }) }
    approvals = [
      { by: 'payer', validBefore: LATER, signature: await sign(payer, at.hotWallet, nonce) },
      {
        ...{ by: 'payee', validBefore: LATER, signature: await sign(seller, at.hotWallet, nonce) },
        seller: { wallet: seller.address, binding },
      },
    ]
  })
  const isSo = (intent: IntentOf<'payout'>) => isProved(pass(), legOf(at, intent))

  it('is none by a verdict on another order, which divides the same price in the same way', async () => {
    const verdict: VerdictDocument = {
      ...{ verdict_urn: urnString('verdict', OTHER_ID), dispute_urn: urnString('dispute', OTHER_ID), sequence: 2 },
      ...{ order_urn: ORDER, party_a: 'a', party_b: 'b', opener: 'a', winner: 'party_b', remedy: 'partial_refund' },
      ...{ price: '20.000000', split: { buyer: '5.000000', seller: '14.250000', fee: '0.750000' } },
      ...{ grounds: 'Late.', confidence: 1, prompt_version: 'x', arbitrator: { kind: 'rules' }, facts: {} },
      ...{ evidence_sha256: 'ab'.repeat(32), decided_at: instant(NOW) },
    }
    const payoutBy = async (order: string): Promise<IntentOf<'payout'>> => {
      const document = { ...verdict, order_urn: urnString('order', order) }
      const signed = { document: canonicalJson(document), ...(await signDocument(document, SEED)) }
      const told = { ...evidence, orderId: order, approvals: [], verdict: signed }
      return { kind: 'payout', deposit, leg: 'payer', to: payer.address, amount: REFUND, sale: SALE, evidence: told }
    }
    expect(await isSo(await payoutBy(SALE.orderId))).to.equal(true)
    expect(await isSo(await payoutBy(OTHER_ID))).to.equal(false)
  })

  for (const leg of ['payee', 'payer'] as const)
    it(`is none when any member is another: ${leg}`, async () => {
      const [to, amount] = leg === 'payee' ? [seller.address, NET] : [payer.address, REFUND]
      const payout: IntentOf<'payout'> = {
        ...{ kind: 'payout', deposit, leg, to, amount, sale: SALE, evidence: { ...evidence, approvals } },
      }
      expect(await isSo(payout)).to.equal(true)
      const answers = {
        ...each(['deposit.from', 'deposit.nonce', 'deposit.amount', 'leg', 'amount'], false),
        ...each(
          Object.keys(SALE).map((name) => `sale.${name}`),
          false,
        ),
        ...each(
          Object.keys(evidence).map((name) => `evidence.${name}`),
          false,
        ),
        // Whether it was paid so is checked of every payout, proved or not.
        ...{ kind: true, 'deposit.txHash': true, to: false },
        ...each(
          ['by', 'validBefore', 'signature', 'seller.wallet', 'seller.binding.message', 'seller.binding.signature'].map(
            (name) => `evidence.approvals.*.${name}`,
          ),
          false,
        ),
      }
      const values = {
        ...ids,
        ...each(['evidence.approvals.*.seller.binding.message'], binding.message.replace('abcdefgh12', 'abcdefgh13')),
      }
      await expectEachMember(payout, answers, isSo, values)
    })
})

describe('the binding of a wallet', () => {
  const accounts = ['market:agent:1', 'market:human:1']
  const required = { wallet: seller.address, chainId: at.chainId, domain: DOMAIN, accounts, nowSeconds: Number(NOW) }
  const said = {
    ...{ address: seller.address, chainId: at.chainId, domain: DOMAIN, uri: `https://${DOMAIN}` },
    ...{ nonce: 'abcdefgh12', statement: 'Be mine.', resources: ['market:human:1'], issuedAt: new Date(0) },
    ...{ notBefore: new Date(Number(NOW) * 1_000), expirationTime: new Date(Number(LATER) * 1_000) },
  } as const
  const messageOf = (of: typeof said) => createSiweMessage({ ...of, version: '1', resources: [...of.resources] })
  const faultOf = (of: typeof said) => bindingFault(messageOf(of), required)

  it('has a fault in each member that must be as it is', async () => {
    expect(faultOf(said)).to.equal(undefined)
    const answers = {
      ...{ address: 'wallet', chainId: 'chain', domain: 'domain', 'resources.*': 'account' },
      ...{ notBefore: 'validity', expirationTime: 'validity' },
      // What the wallet's owner was shown beside.
      ...each(['uri', 'nonce', 'statement', 'issuedAt'], undefined),
    }
    const values = {
      ...{ notBefore: said.expirationTime, expirationTime: said.notBefore, issuedAt: new Date(1) },
      ...{ domain: 'other.example', uri: 'https://other.example', 'resources.*': another(said.resources[0]) },
    }
    await expectEachMember(said, answers, faultOf, values)
  })

  it('is none without whose it is, since when, or a word that is used once', () => {
    const message = messageOf(said)
    for (const line of [/^Nonce: .*\n/m, /^Issued At: .*\n/m, /^0x.*\n/m])
      expect(bindingFault(message.replace(line, ''), required), String(line)).to.equal('malformed')
  })
})
