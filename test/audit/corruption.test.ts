import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, type PublicClient, zeroAddress } from 'viem'
import { audit } from '../../audit/audit.ts'
import type { AuditTarget } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import type { AuditReport } from '../../audit/report.ts'
import { reportText } from '../../cli/user/audit/report.ts'
import { parseAmount } from '../../protocol/encoding/amounts.ts'
import { canonicalJson } from '../../protocol/encoding/canonical.ts'
import { signDocument } from '../../protocol/keys/signing.ts'
import type { LiabilitiesDocument } from '../../protocol/liabilities/liabilities.ts'
import type { SignedFeeSchedule } from '../../protocol/payments/fees.ts'
import { formerSettlementTypedData, settlementTypedData } from '../../protocol/payments/settlement.ts'
import type { ReceiptDocument } from '../../protocol/records/receipt.ts'
import { type Audited, build, startAudited } from '../kit/audit/audited.ts'
import { forAnyField } from '../kit/audit/changes.ts'
import { type Records, SIGNING_KEY, signed } from '../kit/audit/records.ts'
import { freeAccount } from '../kit/chain/payments.ts'

describe('an audit, after something was changed by hand', () => {
  let audited: Audited
  let client: PublicClient
  let target: AuditTarget
  let records: Records
  let keys: Published['keys']
  let fees: SignedFeeSchedule

  before(async () => {
    audited = await startAudited()
    ;({ client, target, records, keys, fees } = audited)
  })

  after(() => audited?.stop())

  /** An audit that is given these records and no others. */
  const auditOf = ({
    receipts = [],
    payouts = [],
    liabilities,
    balances = [],
  }: Partial<Records>): Promise<AuditReport> =>
    audit(client, target, {
      ...{ fees: { signed: fees }, keys, receipts, payouts, build },
      ...(liabilities && { liabilities: [liabilities], balances: [{ liabilities, balances }] }),
    })
  /** Whether something was found, and one of these is named by it. */
  const expectNamed = ({ findings, ok }: AuditReport, names: readonly string[], what: string) => {
    expect(ok, what).to.equal(false)
    expect(
      findings.some(({ subject }) => names.includes(subject)),
      `${what}: ${JSON.stringify(findings)}`,
    ).to.equal(true)
  }
  const nameOf = ({ document }: Records['liabilities']) => `liabilities at block ${document.block_number}`

  it('is clean of what is true, and says what it looked at', async () => {
    const report = await auditOf(records)
    expect(report.findings).to.deep.equal([])
    expect(report.notChecked).to.deep.equal([])
    expect(report.unnamedPayouts).to.deep.equal([])
    expect([report.receipts, report.payouts, report.liabilities]).to.deep.equal([
      { checked: 5 },
      { checked: 4 },
      { roots: 1, balances: 3 },
    ])
  })

  it('finds any field of any receipt, in both modes, and names the receipt', async () => {
    const { receipts } = records
    await forAnyField(receipts, async (changed, path) => {
      const index = Number(path[0])
      const names = [receipts, changed].map((all) => all[index]?.document.receipt_urn ?? '')
      expectNamed(await auditOf({ receipts: changed.slice(index, index + 1) }), names, path.join('.'))
    })
  })

  it('finds it as well when the service itself signs what is not so [risk signing-key]', async () => {
    const money: (keyof ReceiptDocument)[] = [
      ...([
        'network',
        'token',
        'recipient',
        'payer',
        'price',
        'refunded',
        'seller_net',
        'market_fee',
        'fee_bps',
      ] as const),
      ...(['deposit_nonce', 'hold_id', 'settlement_ref', 'payee', 'escrow_mode'] as const),
    ]
    const documents = records.receipts.map(({ document }) =>
      Object.fromEntries(money.map((name) => [name, document[name]])),
    )
    await forAnyField(documents, async (changed, path) => {
      const index = Number(path[0])
      const document = { ...records.receipts[index]?.document, ...changed[index] } as ReceiptDocument
      const report = await auditOf({ receipts: [await signed(document)] })
      expectNamed(report, [document.receipt_urn], path.join('.'))
    })
  })

  it('finds any balance, its salt, its place or its path, and names the account', async () => {
    const { balances } = records
    await forAnyField(balances, async (changed, path) => {
      const names = [balances, changed].map((all) => all[Number(path[0])]?.account ?? '')
      expectNamed(await auditOf({ liabilities: records.liabilities, balances: changed }), names, path.join('.'))
    })
  })

  it('finds any part of the signed root, signed again or not', async () => {
    const { liabilities } = records
    const accounts = records.balances.map(({ account }) => account)
    await forAnyField(liabilities, async (changed, path) => {
      const names = [nameOf(liabilities), nameOf(changed)]
      expectNamed(await auditOf({ liabilities: changed }), names, path.join('.'))
    })
    const { created_at: _when, type: _type, ...said } = liabilities.document
    await forAnyField(said, async (changed, path) => {
      const again = await signed({ ...liabilities.document, ...changed } as LiabilitiesDocument)
      const names = [nameOf(again), ...accounts]
      expectNamed(
        await auditOf({ liabilities: again, balances: records.balances }),
        names,
        `signed again: ${path.join('.')}`,
      )
    })
  })

  it('finds a root that leaves somebody out, or owes more than there is, without anybody’s balance', async () => {
    for (const [total, code] of [
      ['56.999999', 'liabilities/understated'],
      ['62.500001', 'liabilities/insolvent'],
    ] as const) {
      const liabilities = await signed({ ...records.liabilities.document, total })
      const { findings } = await auditOf({ liabilities })
      expect(findings.map((finding) => [finding.code, finding.subject])).to.deep.equal([[code, nameOf(liabilities)]])
    }
  })

  it('finds any field of any payout that was told, and names the payout', async () => {
    const told = records.payouts.map(({ payout_urn: _name, ...payout }) => payout)
    await forAnyField(told, async (changed, path) => {
      const payouts = records.payouts.map((payout, at) => ({ ...payout, ...changed[at] }))
      const name = `market:payout:${records.payouts[Number(path[0])]?.payout_urn.body}`
      expectNamed(await auditOf({ payouts }), [name], path.join('.'))
    })
  })

  describe('says of each distribution what showed that it was wanted', () => {
    const [buyer, seller] = [freeAccount(0), freeAccount(1)]
    const later = Math.floor(Date.now() / 1_000) + 86_400
    const receiptOf = (at: number) => {
      const document = records.receipts[at]?.document
      if (!document) throw new Error('there is no such receipt')
      return document
    }
    /** A party's signature of how the money of a receipt is distributed. */
    const approve = async (
      by: 'payer' | 'payee',
      receipt: ReceiptDocument,
      changes: object = {},
      signer?: typeof buyer,
    ) => {
      const [amount = 0n, refund = 0n, payment = 0n] = [receipt.price, receipt.refunded, receipt.seller_net].map(
        parseAmount,
      )
      const place = { chainId: target.chainId, holder: receipt.recipient }
      const settlement = {
        ...{ order: receipt.order_urn, payer: receipt.payer, nonce: receipt.deposit_nonce, amount, refund, payment },
        ...{ validBefore: BigInt(later), ...changes },
      }
      const account = signer ?? (by === 'payer' ? buyer : seller)
      const signature = await account.signTypedData(formerSettlementTypedData(place, settlement))
      return { by, wallet: account.address, valid_before: Number(settlement.validBefore), signature }
    }
    /** The payer's signature of version 2, which names a wallet of the seller. */
    const approveNaming = async (receipt: ReceiptDocument, payee: Address) => {
      const [amount = 0n, refund = 0n, payment = 0n] = [receipt.price, receipt.refunded, receipt.seller_net].map(
        parseAmount,
      )
      const place = { chainId: target.chainId, holder: receipt.recipient }
      const named = { order: receipt.order_urn, payer: receipt.payer, nonce: receipt.deposit_nonce, payee }
      const settlement = { ...named, amount, refund, payment, validBefore: BigInt(later) }
      const signature = await buyer.signTypedData(settlementTypedData(place, settlement))
      return { by: 'payer' as const, wallet: buyer.address, payee, valid_before: later, signature }
    }
    const decide = async (receipt: ReceiptDocument, changes: object = {}, key?: string) => {
      const document = {
        ...{
          verdict_urn: 'v',
          dispute_urn: 'd',
          order_urn: receipt.order_urn,
          sequence: 1,
          party_a: 'a',
          party_b: 'b',
        },
        ...{ opener: 'a', winner: 'party_b', remedy: 'partial_refund', price: receipt.price, grounds: 'quality' },
        split: { buyer: receipt.refunded, seller: receipt.seller_net, fee: receipt.market_fee },
        ...{ confidence: 1, prompt_version: '1', arbitrator: { kind: 'rules' }, facts: {}, evidence_sha256: '' },
        ...{ decided_at: '2026-05-17T00:00:00.000Z', ...changes },
      }
      const { keyId, signature } = await signDocument(document, key ?? SIGNING_KEY)
      return { document: canonicalJson(document), key_id: keyId, signature }
    }
    const told = async (receipt: ReceiptDocument, settlement?: ReceiptDocument['settlement']) => {
      const document = { ...receipt, ...(settlement ? { settlement } : {}) }
      const { proofs, findings } = await auditOf({ receipts: [await signed(document)] })
      return [
        proofs.map(({ by, keyId }) => (keyId ? `${by} ${keyId}` : by)).join(),
        ...findings.map(({ code }) => code),
      ]
    }

    it('by signatures of whoever gets less than all by it, in both modes', async () => {
      const [held, shared, paid, split] = [receiptOf(0), receiptOf(1), receiptOf(2), receiptOf(3)]
      for (const receipt of [held, paid])
        expect(await told(receipt, { approvals: [await approve('payer', receipt)] })).to.deep.equal(['payer'])
      for (const receipt of [shared, split]) {
        const [one, other] = [await approve('payer', receipt), await approve('payee', receipt)]
        expect(await told(receipt, { approvals: [one, other] })).to.deep.equal(['both'])
        expect(await told(receipt, { approvals: [one] })).to.deep.equal(['nothing'])
      }
    })

    it('by signatures that name the wallet that is paid, and by none that names another', async () => {
      for (const receipt of [receiptOf(0), receiptOf(2)]) {
        const named = async (payee: Address) => {
          const approval = await approveNaming(receipt, payee)
          return told(receipt, { approvals: [approval] })
        }
        expect(await named(seller.address)).to.deep.equal(['payer'])
        for (const other of [buyer.address, zeroAddress]) expect(await named(other)).to.deep.equal(['nothing'])
        const changed = { ...(await approveNaming(receipt, buyer.address)), payee: seller.address }
        expect(await told(receipt, { approvals: [changed] })).to.deep.equal(['nothing', 'receipt/bad-approval'])
      }
    })

    it('by a verdict, and under which key', async () => {
      const [shared, paid] = [receiptOf(1), receiptOf(2)]
      const verdict = await decide(shared)
      expect(await told(shared, { approvals: [], verdict })).to.deep.equal([`verdict ${verdict.key_id}`])
      const { document: _, ...signature } = verdict
      expect(await told(shared, { approvals: [], verdict: signature })).to.deep.equal(['untold'])
      for (const other of [
        await decide(paid),
        await decide(shared, {}, 'd4'.repeat(32)),
        { ...verdict, document: '{' },
      ])
        expect(await told(shared, { approvals: [], verdict: other })).to.deep.equal(['nothing', 'receipt/bad-verdict'])
    })

    it('by nothing, which it counts, and names where it is told as something', async () => {
      const receipt = receiptOf(0)
      expect(await told(receipt)).to.deep.equal(['nothing'])
      expect(await told(receipt, { approvals: [], elapsed_seconds: 60 })).to.deep.equal(['elapsed'])
      // The seller's own word for being paid, and somebody else's.
      expect(await told(receipt, { approvals: [await approve('payee', receipt)] })).to.deep.equal(['nothing'])
      expect(await told(receipt, { approvals: [await approve('payer', receipt, {}, seller)] })).to.deep.equal([
        'nothing',
      ])
      const untrue = [
        await approve('payer', receipt, { refund: 1n }),
        await approve('payer', receipt, { validBefore: 1n }),
        { ...(await approve('payer', receipt)), wallet: seller.address },
      ]
      for (const approval of untrue)
        expect(await told(receipt, { approvals: [approval] })).to.deep.equal(['nothing', 'receipt/bad-approval'])
      const report = await auditOf({ receipts: records.receipts })
      expect(report.proofs.map(({ subject }) => subject)).to.deep.equal(
        records.receipts.map(({ document }) => document.receipt_urn),
      )
      const text = reportText(report)
      expect(text).to.include('Shown by: nothing 5')
      for (const { document } of records.receipts)
        expect(text).to.include(`Unproved, by nothing: ${document.receipt_urn}`)
    })
  })

  it('takes what two files have for one, and finds two tellings of one payment, payout or block', async () => {
    const { receipts, payouts, liabilities } = records
    const [receipt, payout] = [receipts[2], payouts[0]]
    if (!receipt || !payout) throw new Error('there are no records')
    const given = (told: Partial<Published>) =>
      audit(client, target, { fees: { signed: fees }, keys, receipts: [], ...told })
    const twice = await given({
      ...{ receipts: [...receipts, ...receipts], payouts: [...payouts, ...payouts] },
      liabilities: [liabilities, liabilities],
    })
    expect(twice.findings).to.deep.equal([])
    const named = async (told: Partial<Published>) =>
      (await given(told)).findings.map(({ code, subject }) => [code, subject])
    const other = await signed({ ...receipt.document, receipt_urn: 'market:receipt:other' })
    expect(await named({ receipts: [receipt, other] })).to.deep.equal([
      ['receipt/payment-reused', 'market:receipt:other'],
    ])
    const others = { ...payout, payout_urn: { prefix: 'payout', body: 'other' } }
    expect(await named({ payouts: [payout, others] })).to.deep.equal([['payout/leg-reused', 'market:payout:other']])
    const another = await signed({ ...liabilities.document, root: 'ab'.repeat(32) })
    expect(await named({ liabilities: [liabilities, another] })).to.deep.equal([
      ['liabilities/contradicted', nameOf(another)],
    ])
  })
})
