/** A part of the code, and the tests nearest to it. */
export interface Room {
  /** Patterns of what is mutated, relative to the repository. */
  sources: readonly string[]
  /** Folders or patterns of tests that must notice the mistakes. */
  tests: readonly string[]
  /** How many files of tests share a process: loading the service takes longer than most of them run. */
  filesAProcess: number
}

/** The rooms whose mistakes cost money, or let a false proof pass. */
export const ROOMS: Readonly<Record<string, Room>> = {
  payments: {
    sources: ['api/payments/**/*.ts', '!api/payments/**/routes.ts'],
    tests: ['test/api/payments/', 'test/api/trading/orders/', 'test/api/trading/disputes/'],
    filesAProcess: 4,
  },
  protocol: {
    sources: ['protocol/**/*.ts', '!protocol/generated/**'],
    tests: ['test/protocol/', 'test/sdk/', 'test/audit/', 'test/api/identity/wallets/', 'test/api/trading/threads/'],
    filesAProcess: 1,
  },
  facilitator: { sources: ['facilitator/**/*.ts'], tests: ['test/facilitator/'], filesAProcess: 2 },
  audit: { sources: ['audit/**/*.ts'], tests: ['test/audit/'], filesAProcess: 2 },
  // The rest of it is made by ./market generate.
  sdk: {
    sources: ['sdk/*.ts'],
    tests: ['test/sdk/', 'test/api/trading/threads/'],
    filesAProcess: 1,
  },
}

/** Whether a name is a room's, or a file's in a room; in the room called `room`, where that is given. */
export function isOfARoom(name: string, room?: string): boolean {
  return Object.entries(ROOMS).some(
    ([key, { sources }]) =>
      (room ?? key) === key && (name === key || (name.endsWith('.ts') && name.startsWith(folderOf(sources)))),
  )
}

function folderOf([pattern = '']: readonly string[]): string {
  return pattern.slice(0, pattern.indexOf('*'))
}
