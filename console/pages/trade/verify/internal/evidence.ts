import type { components } from '../../../../../sdk/generated/schema.ts'
import type { Body } from '../../../../data/queries.ts'

interface Kinds {
  receipt: Body<'verifyReceipt'>
  verdict: Body<'getVerdict'>
  auditPage: components['schemas']['AuditPage']
  auditHead: components['schemas']['AuditHead']
  balances: Pick<Body<'listInclusions'>, 'liabilities' | 'balances'>
  liabilities: components['schemas']['Liabilities']
}

/** A document that can be checked here. */
export type Evidence = { [Kind in keyof Kinds]: { kind: Kind; value: Kinds[Kind] } }[keyof Kinds]

/** Returns the document that a text holds, by its members. Undefined for any other text. */
export function readEvidence(text: string): Evidence | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const kind = kindOf(value)
    return kind && ({ kind, value } as Evidence)
  } catch {
    return undefined
  }
}

function kindOf(value: unknown): keyof Kinds | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { document } = value as { document?: { type?: unknown } | null }
  if ('receipt_urn' in value && 'proof' in value) return 'receipt'
  if ('signed' in value && 'remedy' in value) return 'verdict'
  if ('entries' in value && Array.isArray(value.entries)) return 'auditPage'
  if ('liabilities' in value && 'balances' in value && Array.isArray(value.balances)) return 'balances'
  if (document?.type === 'market:audit-log-head') return 'auditHead'
  return document?.type === 'market:liabilities' ? 'liabilities' : undefined
}
