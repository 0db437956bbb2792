import type { Tx } from '../db/pool.ts'

/**
 * A kind of announcement: one room makes it, and other rooms react to it. `Needs` are the settings that its
 * reactions use; the announcer must provide them.
 */
export interface AnnouncementKind<Announced, Needs> {
  readonly name: string
  /** Only for the type checker: the types of the announced data and of the settings that reactions use. */
  readonly types?: (announced: Announced, needs: Needs) => void
}

/**
 * A room's reaction to an announcement. It runs in the announcing transaction, and its failure rolls that
 * back.
 */
export interface Reaction {
  to: AnnouncementKind<never, never>
  run: (tx: Tx, settings: never, announced: never) => Promise<unknown>
}

/** Creates a kind of announcement. The name is for people: kinds are compared by identity. */
export function announcementKind<Announced, Needs>(name: string): AnnouncementKind<Announced, Needs> {
  return { name }
}

/** Declares a reaction to announcements of this kind. */
export function on<Announced, Needs>(
  to: AnnouncementKind<Announced, Needs>,
  run: (tx: Tx, settings: Needs, announced: Announced) => Promise<unknown>,
): Reaction {
  return { to, run }
}

/**
 * Makes an announcement: runs every reaction to its kind in this transaction, one after another, in the order
 * of `api/reactions.ts`. Throws what a reaction throws.
 */
export async function announce<Announced, Needs>(
  tx: Tx,
  settings: Needs & { reactions: readonly Reaction[] },
  kind: AnnouncementKind<Announced, Needs>,
  announced: NoInfer<Announced>,
): Promise<void> {
  for (const { to, run } of settings.reactions) {
    if (to === kind) await run(tx, settings as never, announced as never)
  }
}
