import { z } from 'zod'
import { auditArchive, getAuditHead, listAuditLog } from '../../../api/platform/audit/routes.ts'
import { verifyReceipt } from '../../../api/trading/receipts/routes.ts'
import { liabilityInclusion, signedLiabilities } from '../../../protocol/liabilities/liabilities.ts'
import { signedReceipt } from '../../../protocol/records/receipt.ts'
import { verdictDocument } from '../../../protocol/records/verdict.ts'
import { readJson } from '../../terminal/jsonFile.ts'
import { urnText } from '../../terminal/text.ts'
import { openClient } from '../people/client.ts'

const proof = verifyReceipt.answers[200].schema.shape.proof.unwrap()
const signatureOf = { key_id: z.string(), signature: z.string() }

// The signature also covers members that are not known here.
const reputationAnswer = z.looseObject({
  type: z.literal('market:reputation-answer:1'),
  subject_urn: z.string(),
  conditions: z.looseObject({}),
  result: z.boolean(),
  supporting: z.looseObject({
    unweighted_count: z.number(),
    weighted_rating_avg: z.number(),
    weighted_dispute_loss_rate: z.number(),
    weighted_volume_usdc: z.string(),
  }),
  as_of: z.string(),
  ...signatureOf,
})

/** The kinds of document, by shape. The first that fits is taken, so those with more members come first. */
const SHAPES = {
  receiptProof: z.union([z.object({ proof }).transform((answer) => answer.proof), proof]),
  receipt: z.union([z.object({ signed: signedReceipt }).transform(({ signed }) => signed), signedReceipt]),
  verdict: z.union([
    z.object({ signed: z.object({ document: verdictDocument, ...signatureOf }) }).transform(({ signed }) => signed),
    z.object({ document: verdictDocument, ...signatureOf }),
  ]),
  reputation: reputationAnswer,
  auditHead: getAuditHead.answers[200].schema,
  auditPage: listAuditLog.answers[200].schema,
  balances: z.object({ liabilities: signedLiabilities, balances: z.array(liabilityInclusion) }),
  liabilities: signedLiabilities,
} as const

type Shapes = typeof SHAPES

/** A document to check, and its source. `isReadAgain`: the file was saved before all of it was there. */
export type Evidence = {
  [Kind in keyof Shapes]: { kind: Kind; from: string; value: z.output<Shapes[Kind]>; isReadAgain?: boolean }
}[keyof Shapes]

// A proof that was saved while its order was open, or before the receipt was in the audit log.
const earlyProof = z.object({
  receipt_urn: verifyReceipt.answers[200].schema.shape.receipt_urn,
  proof: z.looseObject({ audit: z.null() }).nullable(),
})

/**
 * Reads a file, or fetches the document of a URN, as the named agent of the caller if there is one. A proof
 * that was saved early is fetched again, unless offline. An archive of the audit log is a page and a head.
 * Throws an Error for a document that cannot be checked.
 */
export async function readEvidence(
  name: string,
  { agent, isOffline }: { agent?: string | undefined; isOffline: boolean },
): Promise<Evidence[]> {
  const read = name.startsWith('market:') ? await fetched(name, agent) : await readJson(name, z.unknown())
  const early = earlyProof.safeParse(read)
  const isEarly = early.success && !name.startsWith('market:')
  if (isEarly && isOffline && early.data.proof === null)
    throw new Error(`${name} was saved while its order was open: read it again, by its URN and without --config.`)
  const isReadAgain = isEarly && !isOffline
  const given = isReadAgain ? await fetched(urnText(early.data.receipt_urn), agent) : read
  const archive = auditArchive.safeParse(given)
  if (archive.success) {
    const { head, entries } = archive.data
    return [
      { kind: 'auditPage', from: name, value: { entries, next_cursor: null } },
      { kind: 'auditHead', from: name, value: head },
    ]
  }
  for (const [kind, shape] of Object.entries(SHAPES)) {
    const read = (shape as z.ZodType).safeParse(given)
    if (read.success) return [{ kind, from: name, value: read.data, isReadAgain } as Evidence]
  }
  throw new Error(
    `${name} is no receipt, verdict, answer on reputation, page, head or archive of the audit log, or liabilities, as the API answers them.`,
  )
}

async function fetched(urn: string, agent: string | undefined): Promise<unknown> {
  const { client } = await openClient({ agent })
  if (urn.startsWith('market:receipt:')) {
    const { body } = await client.call('verifyReceipt', { params: { urn } })
    if (body.proof === null) throw new Error(`${urn} is of an open order: there is nothing to check yet.`)
    if (body.proof.document === null)
      throw new Error(`${urn} is shown to its parties alone: name the agent of yours that is one with --agent.`)
    return body
  }
  if (urn.startsWith('market:verdict:')) return (await client.call('verifyVerdict', { params: { urn } })).body
  throw new Error(
    `${urn} has no proof of its own. Name a receipt or a verdict: ./market order shows the receipt of an order.`,
  )
}
