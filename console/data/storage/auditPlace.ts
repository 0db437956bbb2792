import type { AuditPlace } from '../../../sdk/auditLog.ts'

const KEPT = 'audit-place'

/** Returns the place in the audit log up to which this browser has checked it. */
export function keptPlace(): AuditPlace | undefined {
  const { position, hash } = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as { position?: unknown; hash?: unknown }
  return typeof position === 'number' && typeof hash === 'string' ? { position, hash } : undefined
}

/** Stores a place, so that a later rewrite of the log is detected. */
export function keepPlace(place: AuditPlace): void {
  localStorage.setItem(KEPT, JSON.stringify(place))
}
