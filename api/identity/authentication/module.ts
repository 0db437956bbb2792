import type { Module } from '../../module.ts'

const MINUTE = 60

const rules = {
  /** How long the passkey sign-in of a session counts as fresh. */
  freshPasskeySeconds: 5 * MINUTE,
}

/** What the service knows through this folder. */
export const authentication = { rules } satisfies Module
