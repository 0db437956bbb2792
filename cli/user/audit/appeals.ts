import { type Hex, isHex } from 'viem'
import { z } from 'zod'
import { createMarket } from '../../../sdk/market.ts'
import { readJson } from '../../terminal/jsonFile.ts'

const key = z.custom<Hex>((value) => isHex(value) && value.length === 66, 'an appeal’s key must be 32 bytes of hex')
const appealFile = z.object({ appeals: z.array(key) })

/**
 * Returns the keys of the appeals whose fee was paid: from the files, or else from the service if there is
 * one.
 */
export async function readAppeals(paths: readonly string[] | undefined, baseUrl: string | undefined): Promise<Hex[]> {
  const read = await Promise.all((paths ?? []).map((path) => readJson(path, appealFile)))
  if (paths || !baseUrl) return read.flatMap(({ appeals }) => appeals)
  const client = createMarket({ baseUrl })
  const keys: Hex[] = []
  let cursor: string | null = null
  do {
    const page: z.infer<typeof appealPage> = appealPage.parse(
      (await client.call('listAppealFees', { query: { limit: 100, ...(cursor ? { cursor } : {}) } })).body,
    )
    keys.push(...page.appeals)
    cursor = page.next_cursor
  } while (cursor)
  return keys
}

const appealPage = appealFile.extend({ next_cursor: z.string().nullable() })
