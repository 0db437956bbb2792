/** Every value of the Market-Version header, oldest first (spec 9). Verbs use the last one. */
export const MARKET_VERSIONS = ['2026-05-05', '2026-05-17'] as const

export type MarketVersion = (typeof MARKET_VERSIONS)[number]

/** The version of a read without the header. */
export const CURRENT_VERSION = '2026-05-17' satisfies MarketVersion
