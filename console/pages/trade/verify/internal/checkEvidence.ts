import { type PublicKeyJwk, type SigningPurpose, verifyDocument } from '../../../../../protocol/keys/signing.ts'
import { isIncluded } from '../../../../../protocol/liabilities/inclusion.ts'
import { AUDIT_START, AuditChainError, verifyAuditPage } from '../../../../../sdk/auditLog.ts'
import { keptPlace } from '../../../../data/storage/auditPlace.ts'
import { t } from '../../../../texts/texts.ts'
import type { Evidence } from './evidence.ts'

/** The result of a check, and what was checked. `fits` is undefined if it could not be checked. */
export interface Check {
  fits: boolean | undefined
  words: string
}

type Of<Kind extends Evidence['kind']> = Extract<Evidence, { kind: Kind }>['value']

/** Checks a page or the head of the audit log, or a statement of liabilities, against keys of the market. */
export async function checkEvidence(
  evidence: Exclude<Evidence, { kind: 'receipt' | 'verdict' }>,
  keys: readonly PublicKeyJwk[],
): Promise<Check[]> {
  if (evidence.kind === 'auditPage') return checkPage(evidence.value)
  if (evidence.kind === 'auditHead') return checkHead(evidence.value, keys)
  if (evidence.kind === 'liabilities') return [await checkRoot(evidence.value, keys)]
  const { liabilities, balances } = evidence.value
  const paths = balances.map((balance) => ({
    fits: isIncluded(balance, liabilities.document),
    words: t('{account}: {amount} leads to the signed root', { account: balance.account, amount: balance.amount }),
  }))
  return [await checkRoot(liabilities, keys), ...paths]
}

/**
 * A page that begins where this browser's check of the log ended must continue from there. Any other page
 * must continue from the hash that it names.
 */
function checkPage({ entries }: Of<'auditPage'>): Check[] {
  const [first] = entries
  if (!first) return [{ fits: undefined, words: t('it has no entries') }]
  const kept = keptPlace()
  const isStart = first.position === 1
  const goesOn = kept?.position === first.position - 1
  const claimed = { position: first.position - 1, hash: first.previous_hash }
  const from = isStart ? AUDIT_START : goesOn ? kept : claimed
  const words = t('entries {first} to {last} continue each other', {
    first: first.position,
    last: entries.at(-1)?.position,
  })
  const before = isStart ? t('it begins the log') : t('it goes on from what was checked in this browser')
  try {
    verifyAuditPage(entries, from)
    return [
      { fits: true, words },
      isStart || goesOn
        ? { fits: true, words: before }
        : { fits: undefined, words: t('what is before it is not shown') },
    ]
  } catch (error) {
    if (!(error instanceof AuditChainError)) throw error
    return [{ fits: false, words: `${words}: ${error.message}` }]
  }
}

async function checkHead(head: Of<'auditHead'>, keys: readonly PublicKeyJwk[]): Promise<Check[]> {
  const { position, hash, as_of: at } = head.document
  const kept = keptPlace()
  const signed = {
    fits: await isSigned(head, keys, { purpose: 'audit_head', at }),
    words: t('a key of the market signed it'),
  }
  if (kept?.position !== position)
    return [
      signed,
      { fits: undefined, words: t('whether the log leads to entry {position} is told by its pages', { position }) },
    ]
  return [signed, { fits: kept.hash === hash, words: t('it is where the log led when this browser checked it') }]
}

async function checkRoot(root: Of<'liabilities'>, keys: readonly PublicKeyJwk[]): Promise<Check> {
  const { total, block_number: block, created_at: at } = root.document
  const words = t('a key of the market signed that {total} is owed at block {block}', { total, block })
  return { fits: await isSigned(root, keys, { purpose: 'liabilities', at }), words }
}

function isSigned(
  { document, key_id: keyId, signature }: Of<'auditHead'> | Of<'liabilities'>,
  keys: readonly PublicKeyJwk[],
  as: { purpose: SigningPurpose; at: string },
): Promise<boolean> {
  return verifyDocument(document, { keyId, signature }, keys, as)
}
