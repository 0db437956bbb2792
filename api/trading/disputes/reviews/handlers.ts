import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import { serve } from '../../../platform/http/serve/serve.ts'
import { clearText } from '../assignment/clear.ts'
import { listCases } from '../assignment/find.ts'
import { decideCase } from './internal/decide.ts'
import { linkCaseDelivery } from './internal/deliveries.ts'
import { linkCaseFile } from './internal/files.ts'
import { readCase } from './internal/read.ts'
import { toCase, toCaseDelivery, toCaseFile } from './internal/wire.ts'
import { clearReview, decideReview, listReviews, readReview, readReviewDelivery, readReviewFile } from './routes.ts'

export const reviewHandlers = [
  serve(clearReview, async (tx, call, { params, body }) => {
    await clearText(tx, call, params.urn, body.hostile)
    return { status: 200 as const, body: { dispute_urn: urn('dispute', params.urn), state: 'arbitrating' as const } }
  }),

  serve(listReviews, async (tx, { actor }) => ({
    status: 200 as const,
    body: {
      reviews: (await listCases(tx, actor.humanId)).map((row) => ({
        dispute_urn: urn('dispute', row.id),
        state: row.state,
        price: formatAmount(row.price_micros),
        flags: row.flags,
        assigned_at: row.assigned_at.toISOString(),
        ...present({ read_at: row.read_at?.toISOString() ?? null, due_at: row.due_at?.toISOString() ?? null }),
      })),
    },
  })),

  serve(readReview, async (tx, call, { params }) => ({
    status: 200 as const,
    body: toCase(await readCase(tx, call, params.urn)),
  })),

  serve(readReviewDelivery, async (tx, call, { params }) => {
    const { delivery, download } = await linkCaseDelivery(tx, call, params.urn, params.delivery)
    return { status: 200 as const, body: { ...toCaseDelivery(delivery), download } }
  }),

  serve(readReviewFile, async (tx, call, { params }) => {
    const { file, download } = await linkCaseFile(tx, call, params.urn, params.file)
    return { status: 200 as const, body: { ...toCaseFile(file), download } }
  }),

  serve(decideReview, async (tx, call, { params, body }) => {
    const { refund: refundMicros, grounds } = body
    const decided = await decideCase(tx, call, params.urn, { refundMicros, grounds })
    return { status: 200 as const, body: { dispute_urn: urn('dispute', params.urn), decided } }
  }),
]
