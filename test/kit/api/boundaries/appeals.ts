import { appealFeeMicros } from '../../../../api/payments/appealFees/offer.ts'
import { appeal, feeEvent, feesOf, fund } from '../trading/disputes/appeals.ts'
import { appealed, disputed, heard, nothing } from './beginnings.ts'
import { amountOf, type Boundary, exactly, limiting, micros, nowSeconds, told, upTo } from './scene.ts'

/** Every amount and number of appeals and their fees. */
export const APPEALS: readonly Boundary[] = [
  amountOf('appealPaymentSeconds', appealed, {
    'the authorization of a fee ends with its offer': [
      async (scene, { trade, fee }, step) => {
        const valid_before = new Date(
          Number((await nowSeconds(scene)) + micros(scene, 'appealPaymentSeconds', step)) * 1_000,
        )
        await fund(scene, trade, 'buyer', { ...fee, valid_before }, trade.payer)
      },
      ...upTo('authorization/mismatch'),
    ],
    'a payment of the fee arrives': [
      async (scene, { trade, fee }, step) => {
        await scene.settle(feeEvent(fee, trade.payer, { amountMicros: fee.amount_micros + BigInt(step) }))
        return (await feesOf(scene, trade))[0]?.state
      },
      ...exactly('offered', 'held'),
    ],
  }),
  amountOf('appealFeeBps', nothing, {
    'the fee of 100': [
      async ({ settings: { rules } }, _given, step) =>
        `${appealFeeMicros({ ...rules, appealFeeBps: rules.appealFeeBps + step }, 100_000_000n)}`,
      ...told('1990000', '2000000', '2010000'),
    ],
  }),
  amountOf('minAppealFeeMicros', nothing, {
    'two hundredths of the price are so much': [
      async (scene, _given, step) =>
        `${appealFeeMicros(scene.settings.rules, 50n * micros(scene, 'minAppealFeeMicros', step))}`,
      ...told('1000000', '1000000', '1000001'),
    ],
    'the price is so much': [
      async (scene, _given, step) =>
        `${appealFeeMicros(scene.settings.rules, micros(scene, 'minAppealFeeMicros', step))}`,
      ...told('999999', '1000000', '1000000'),
    ],
  }),
  amountOf('maxAppealFeeMicros', nothing, {
    'two hundredths of the price are so much': [
      async (scene, _given, step) =>
        `${appealFeeMicros(scene.settings.rules, 50n * micros(scene, 'maxAppealFeeMicros', step))}`,
      ...told('24999999', '25000000', '25000000'),
    ],
  }),
  amountOf(
    'maxOpenAppeals',
    async (scene) => {
      const [first, second] = [await heard(scene), await disputed('decided')(scene)]
      const owner = { owner_id: first.buyer.humanId }
      await scene.db.updateTable('market.agents').set(owner).where('id', '=', second.buyer.agentId).execute()
      return second
    },
    {
      'an owner opens the so-manieth appeal while the first is heard': [
        async (scene, trade, step) => {
          const call = { ...trade.buyer.call, settings: limiting(scene, 'maxOpenAppeals', 2, step) }
          return appeal(scene, { ...trade, buyer: { ...trade.buyer, call } }, 'buyer')
        },
        ...upTo('disputes/too-many-appeals'),
      ],
    },
  ),
  amountOf('maxOpenAppeals', appealed, {
    'an owner opens the so-manieth appeal': [
      async (scene, { trade }, step) => {
        // The first of one owner is open: the other side’s, of the same owner, is the second.
        const owner = { owner_id: trade.buyer.humanId }
        await scene.db.updateTable('market.agents').set(owner).where('id', '=', trade.seller.agentId).execute()
        const settings = limiting(scene, 'maxOpenAppeals', 2, step)
        const seller = { ...trade.seller, call: { ...trade.seller.call, settings } }
        return appeal(scene, { ...trade, seller }, 'seller')
      },
      ...upTo('disputes/too-many-appeals'),
    ],
  }),
]
