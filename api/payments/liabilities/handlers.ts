import { notFound } from '../../errors.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { findLiabilities } from './internal/find.ts'
import { readInclusions } from './internal/inclusions.ts'
import { getLiabilities, getLiabilitiesAt, listInclusions } from './routes.ts'

export const liabilityHandlers = [
  serve(getLiabilities, {
    withoutTransaction: async ({ db }) => {
      const body = await findLiabilities(db, {})
      if (!body) throw notFound('published liabilities')
      return { status: 200, headers: { 'Cache-Control': 'public, max-age=10' }, body }
    },
  }),

  serve(getLiabilitiesAt, {
    withoutTransaction: async ({ db }, _call, { params }) => {
      const body = await findLiabilities(db, params)
      if (!body) throw notFound('published liabilities')
      return { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' }, body }
    },
  }),

  serve(listInclusions, async (tx, { actor }, { query, list }) => {
    // A cursor belongs to one tree: another may have been published since.
    const { block } = query
    const liabilities = await findLiabilities(tx, { block, withTree: true })
    if (!liabilities) throw notFound('published liabilities')
    const { block_number, height } = liabilities.document
    const tree = { block: BigInt(block_number), height }
    const { items: rows, next_cursor } = await list
      .within(String(block_number))
      .read((page) => readInclusions(tx, actor, tree, page))
    const balances = rows.map(({ id: _id, ...inclusion }) => inclusion)
    return { status: 200, body: { liabilities, balances, next_cursor } }
  }),
]
