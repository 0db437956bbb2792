import { describe, it } from 'node:test'
import { expect } from 'chai'
import { signSettlement } from '../../../sdk/settlement.ts'
import { auditReport, receiptOf } from '../../e2e/books.ts'
import {
  accept,
  cancel,
  createParties,
  deliver,
  fund,
  marketOf,
  place,
  readOrder,
  sign,
  type Trader,
  untilOrder,
  untilSettled,
} from '../../e2e/trading.ts'
import type { Stack } from '../../kit/stack/stack.ts'

/** What an auditor of a running market is shown for the end of a hold in the contract. */
export function signedSettlements(stackOf: () => Stack): void {
  describe('a settlement that a party signed, in contract mode', { concurrency: true }, () => {
    const signAs = async ({ client, account }: Trader, urn: string, refund: string) => {
      const { timestamp } = await stackOf().chain.client.getBlock()
      const order = (await client.call('getOrder', { params: { urn } })).body
      await signSettlement(client, account, order, marketOf(stackOf()), { refund, nowSeconds: Number(timestamp) })
    }
    const funded = async () => {
      const stack = stackOf()
      const parties = await createParties(stack)
      const { urn, offer } = await place(parties, { mode: 'contract' })
      await fund(parties.buyer, urn, await sign(stack, offer, parties.buyer.account))
      await untilOrder(parties.buyer, urn, 'funded')
      return { ...parties, urn }
    }
    const expectShown = async (party: Trader, urn: string, by: 'payer' | 'payee') => {
      await untilSettled(party, urn)
      const { document } = await receiptOf(party, urn)
      expect(document.settlement?.approvals.map((approval) => approval.by)).to.deep.equal([by])
      const { proofs, findings } = await auditReport(stackOf(), party, [urn])
      expect(proofs).to.deep.equal([{ subject: document.receipt_urn, by }])
      expect(findings).to.deep.equal([])
    }

    it('is in the receipt of an acceptance, where an audit finds it to be the payer’s', async () => {
      const { buyer, seller, urn } = await funded()
      await deliver(seller, await readOrder(seller, urn))
      await untilOrder(buyer, urn, 'delivered')
      await signAs(buyer, urn, '0.000000')
      await accept(buyer, urn)
      await expectShown(buyer, urn, 'payer')
    })

    it('is in the receipt of a concession, where an audit finds it to be the seller’s', async () => {
      const { seller, urn } = await funded()
      await signAs(seller, urn, '20.000000')
      await cancel(seller, urn)
      await expectShown(seller, urn, 'payee')
    })
  })
}
