import { sql } from 'kysely'
import { decryptWords } from '../../../../protocol/records/sealed.ts'
import { sealedContent } from '../../../../protocol/records/sealedContent.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow, Party } from '../../orders/record/find.ts'
import type { MessageRow } from '../../threads/insert.ts'
import { placeOf } from '../../threads/seal.ts'
import type { Said } from '../screener/screen.ts'

/** A text that an arbitrator may read: which it is, whose, from when. */
export interface ReadableText extends Said {
  kind: 'description' | 'criteria' | 'statement' | 'rejection' | 'message' | 'file'
}

const MAX_ITEM_CHARACTERS = 4_000
const MAX_SIDE_CHARACTERS = 24_000
const MAX_SIDE_ITEMS = 200
/** How much of a thread is read, the newest first: far more than a model is given. */
const MAX_THREAD_CHARACTERS = 500_000
const CUT = ' [cut]'

/**
 * Reads the texts of a dispute that are screened, the most important first: the agreement, the parties'
 * statements, the reasons for rejections, then the messages, the newest first, up to half a million
 * characters. Texts are whole; `withinBudget` cuts them for a model. Of sealed messages, only disclosed ones
 * are read. `until` leaves out later texts. Last come the names of files and excerpts of text files, which no
 * model reads.
 */
export async function readTexts(tx: Tx, order: OrderRow, disputeId: string, until?: Date): Promise<ReadableText[]> {
  const { rows } = await sql<Omit<ReadableText, 'at'> & { at: Date; rank: number }>`
    select 1 as rank, 'description' as kind, 'seller' as side, sold.created_at as at, sold.description as text
    from market.ask_versions sold where sold.ask_id = ${order.ask_id} and sold.version = ${order.ask_version}
    union all
    select 1, 'criteria', 'seller', sold.created_at, one.value ->> 'text'
    from market.ask_versions sold, jsonb_array_elements(sold.criteria) one
    where sold.ask_id = ${order.ask_id} and sold.version = ${order.ask_version}
    union all
    select 1, 'description', 'buyer', asked.created_at, asked.description from market.bids asked where asked.id = ${order.bid_id}
    union all
    select 1, 'criteria', 'buyer', asked.created_at, one.value ->> 'text'
    from market.bids asked, jsonb_array_elements(asked.criteria) one where asked.id = ${order.bid_id}
    union all
    select 1, 'criteria', 'seller', quoted.created_at, one.value ->> 'text'
    from market.quotes quoted, jsonb_array_elements(coalesce(quoted.criteria, '[]')) one where quoted.id = ${order.quote_id}
    union all
    select 2, 'statement', said.party, said.created_at, concat_ws(E'\n', said.what_happened, said.wanted)
    from market.dispute_statements said where said.dispute_id = ${disputeId}
    union all
    select 3, 'rejection', 'buyer', rejected.rejected_at, rejected.reason
    from market.rejections rejected where rejected.order_id = ${order.id} and rejected.reason is not null
    order by 1, 4, 5`.execute(tx)
  const said = rows.map(({ rank, at, ...one }) => ({ ...one, at: at.toISOString(), ...goods(one.kind) }))
  return [...said, ...(await readMessages(tx, order, until)), ...(await readFiles(tx, order, disputeId))]
}

/** The description and criteria of the goods were written before any dispute. */
function goods(kind: ReadableText['kind']): Pick<ReadableText, 'isGoods'> {
  return kind === 'description' || kind === 'criteria' ? { isGoods: true } : {}
}

/** Reads the names and the excerpts of delivered files and of evidence. */
async function readFiles(tx: Tx, { id }: OrderRow, disputeId: string): Promise<ReadableText[]> {
  const { rows } = await sql<{ side: Party; at: Date; filename: string | null; excerpt: string | null }>`
    select upload.id, 'seller' as side, upload.created_at as at, upload.filename, upload.excerpt
    from market.deliveries upload
    where upload.order_id = ${id} and (upload.message_id is not null
      or exists (select from market.dispute_evidence item where item.delivery_id = upload.id))
    union all
    select file.id, file.party, file.created_at, file.filename, file.excerpt from market.evidence_files file
    where file.dispute_id = ${disputeId} and file.stage = 'evidence'
    order by 1`.execute(tx)
  return rows.flatMap(({ side, at, ...file }) =>
    wordsOfFile(file).map((words) => ({ kind: 'file' as const, side, at: at.toISOString(), ...words })),
  )
}

/** Returns the screened texts of a file: its name, and the excerpt of its text. */
export function wordsOfFile(file: { filename: string | null; excerpt: string | null }) {
  return [
    ...(file.filename === null ? [] : [{ text: file.filename, isName: true }]),
    ...(file.excerpt === null ? [] : [{ text: file.excerpt, isGoods: true }]),
  ]
}

async function readMessages(tx: Tx, order: OrderRow, until: Date | undefined): Promise<ReadableText[]> {
  const messages = await tx
    .selectFrom('market.messages as message')
    .leftJoin('market.disclosures as disclosure', 'disclosure.message_id', 'message.id')
    .selectAll('message')
    .select('disclosure.key')
    .where('message.thread_id', '=', order.thread_id)
    .where('message.id', 'in', recentMessages(order))
    .$if(until !== undefined, (query) => query.where('message.created_at', '<=', until ?? new Date(0)))
    .orderBy('message.id', 'desc')
    .execute()
  const read = await Promise.all(
    messages.map(async ({ key, ...message }) => ({
      message,
      words: key === null ? undefined : await opened(message, key),
    })),
  )
  return read.flatMap(({ message, words }) => {
    const { body, payload } = words ?? message
    const text = [message.kind === 'text' ? '' : message.kind, body ?? '', payload ? JSON.stringify(payload) : '']
    const side = message.sender_id === order.buyer_id ? ('buyer' as const) : ('seller' as const)
    const said = text.filter((part) => part !== '').join('\n')
    return said === '' ? [] : [{ kind: 'message' as const, side, at: message.created_at.toISOString(), text: said }]
  })
}

/** The newest messages of an order's thread that together have at most MAX_THREAD_CHARACTERS. */
function recentMessages({ thread_id }: OrderRow) {
  return sql<string>`(select id from (
    select id, sum(coalesce(length(body), 0) + coalesce(length(payload::text), 0) + coalesce(length(sealed::text), 0))
      over (order by id desc) as characters
    from market.messages where thread_id = ${thread_id}) counted
    where characters <= ${MAX_THREAD_CHARACTERS})`
}

/** Returns the content of a disclosed message. `discloseMessage` has checked the key. */
export async function opened(message: MessageRow, key: Buffer) {
  const sealed = sealedContent.safeParse(message.sealed)
  return sealed.success ? decryptWords(placeOf(message, sealed.data), sealed.data, key) : undefined
}

/** Cuts texts, the most important first, to a model's limits per text and per side. */
export function withinBudget(texts: readonly ReadableText[]): ReadableText[] {
  const left = { buyer: MAX_SIDE_CHARACTERS, seller: MAX_SIDE_CHARACTERS }
  const items = { buyer: 0, seller: 0 }
  return texts.flatMap((said) => {
    const length = Math.min(said.text.length, MAX_ITEM_CHARACTERS, left[said.side])
    left[said.side] -= length
    if (length === 0 || items[said.side]++ >= MAX_SIDE_ITEMS) return []
    return [{ ...said, text: length < said.text.length ? said.text.slice(0, length) + CUT : said.text }]
  })
}
