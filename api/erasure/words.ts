/** What stands where a person's words stood. The database lets an ask's terms be replaced by this alone. */
export const ERASED_WORDS = '[erased]'

/** Where the addresses of the erased are: nothing is delivered there (RFC 2606). */
export const ERASED_DOMAIN = 'erased.invalid'
