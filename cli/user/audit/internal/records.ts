import { z } from 'zod'
import {
  liabilityInclusion,
  type SignedLiabilities,
  signedLiabilities,
} from '../../../../protocol/liabilities/liabilities.ts'
import { payoutReceipt } from '../../../../protocol/payments/payoutReceipt.ts'
import { type SignedReceipt, signedReceipt } from '../../../../protocol/records/receipt.ts'
import { readJson } from '../../../terminal/jsonFile.ts'
import type { AuditValues } from '../options.ts'
import { recordsOf } from './record.ts'

// Only the list is validated: each record is parsed by itself.
const list = z.array(z.unknown())
const cursor = z.string().nullish()
const isOpen = (receipt: unknown) => z.object({ document: z.null() }).safeParse(receipt).success
/** Receipts as a list, or as an export contains them, including those of open orders, which are unsigned. */
const receiptFile = z.union([
  list,
  z.object({ receipts: list }).transform(({ receipts }) => receipts.filter((one) => !isOpen(one))),
])
const payoutFile = z.union([
  list.transform((receipts) => ({ receipts, next_cursor: null })),
  z.object({ receipts: list, next_cursor: cursor }),
])
const rootFile = z.union([
  list,
  z
    .object({ document: z.unknown() })
    .loose()
    .transform((one): unknown[] => [one]),
])
const toldPage = z.object({ liabilities: z.unknown(), balances: list, next_cursor: cursor })
const toldFile = z.union([z.array(toldPage), toldPage.transform((one) => [one])])

type RecordFiles = Pick<AuditValues, 'receipts' | 'payouts' | 'liabilities' | 'balances'>

/**
 * Reads the records that the options name. If no file of roots is named, fetches the newest root; if no file
 * of receipts is named, those that `ownReceipts` returns.
 */
export async function readRecords(
  values: RecordFiles,
  newestRoots: () => Promise<SignedLiabilities[]>,
  ownReceipts: () => Promise<SignedReceipt[]>,
) {
  const receipts = await readEach(values.receipts, receiptFile, (path, read) => recordsOf(path, read, signedReceipt))
  const payouts = await readEach(values.payouts, payoutFile, (path, page) => ({
    ...recordsOf(path, page.receipts, payoutReceipt),
    page,
  }))
  const roots = await readEach(values.liabilities, rootFile, (path, read) => recordsOf(path, read, signedLiabilities))
  const told = (
    await readEach(values.balances, toldFile, (path, pages) => pages.map((page) => toldOf(path, page)))
  ).flat()
  const balances = told.flatMap(({ items }) => items)
  return {
    receipts: values.receipts ? receipts.flatMap(({ items }) => items) : await ownReceipts(),
    payouts: payouts.flatMap(({ items }) => items),
    liabilities: [
      ...(values.liabilities ? roots.flatMap(({ items }) => items) : await newestRoots()),
      ...balances.map(({ liabilities }) => liabilities),
    ],
    balances,
    cutOff: cutOff({ balances: told.map(({ page }) => page), 'payout receipts': payouts.map(({ page }) => page) }),
    malformed: [...receipts, ...payouts, ...roots, ...told].flatMap(({ malformed }) => malformed),
  }
}

/** Returns a page's valid balances; none if its root cannot be parsed. */
function toldOf(path: string, page: z.infer<typeof toldPage>) {
  const root = recordsOf(path, [page.liabilities], signedLiabilities)
  const balances = recordsOf(path, page.balances, liabilityInclusion)
  return {
    page,
    items: root.items.map((liabilities) => ({ liabilities, balances: balances.items })),
    malformed: [...root.malformed, ...balances.malformed],
  }
}

async function readEach<File, Read>(
  paths: readonly string[] | undefined,
  schema: z.ZodType<File>,
  read: (path: string, file: File) => Read,
): Promise<Read[]> {
  return Promise.all((paths ?? []).map(async (path) => read(path, await readJson(path, schema))))
}

interface Page {
  next_cursor?: string | null | undefined
}

/** Returns the inputs whose last page is missing. */
function cutOff(given: Record<string, readonly Page[]>): string[] {
  const isCutOff = (pages: readonly Page[]) =>
    pages.length > 0 && pages.every(({ next_cursor }) => typeof next_cursor === 'string')
  return Object.keys(given).filter((what) => isCutOff(given[what] ?? []))
}
