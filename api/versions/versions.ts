/** Every value of the Market-Version header, oldest first (spec 9). The last is the one verbs know. */
export const MARKET_VERSIONS = ['2026-05-05', '2026-05-17'] as const

export type MarketVersion = (typeof MARKET_VERSIONS)[number]

/** What a read without the header gets. */
export const CURRENT_VERSION = '2026-05-17' satisfies MarketVersion
