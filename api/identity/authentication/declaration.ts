const MINUTE = 60

export const authenticationRules = {
  /** How long the passkey sign-in of a session counts as fresh. */
  freshPasskeySeconds: 5 * MINUTE,
}
