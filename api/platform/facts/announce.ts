import type { Settings } from '../../context.ts'
import type { Tx } from '../db/pool.ts'

/**
 * A kind of fact that one room announces and other rooms react to. `Needs` are the settings that its reactions use; the
 * announcer must provide them.
 */
export interface FactKind<Fact, Needs = Settings> {
  readonly name: string
  /** Only for the type checker: the types of the fact and of the settings its reactions use. */
  readonly types?: (fact: Fact, needs: Needs) => void
}

/** A room's reaction to a fact. It runs in the announcing transaction, and its failure rolls that back. */
export interface Reaction {
  to: FactKind<never, never>
  run: (tx: Tx, settings: never, fact: never) => Promise<unknown>
}

/** Creates a kind of fact. The name is for people: kinds are compared by identity. */
export function factKind<Fact, Needs = Settings>(name: string): FactKind<Fact, Needs> {
  return { name }
}

/** Declares a reaction to facts of this kind. */
export function on<Fact, Needs>(
  to: FactKind<Fact, Needs>,
  run: (tx: Tx, settings: Needs, fact: Fact) => Promise<unknown>,
): Reaction {
  return { to, run }
}

/**
 * Announces a fact: runs every reaction to its kind in this transaction, one after another, in the order of
 * `api/reactions.ts`. Throws what a reaction throws.
 */
export async function announce<Fact, Needs>(
  tx: Tx,
  settings: Needs & Pick<Settings, 'reactions'>,
  kind: FactKind<Fact, Needs>,
  fact: NoInfer<Fact>,
): Promise<void> {
  for (const { to, run } of settings.reactions) {
    if (to === kind) await run(tx, settings as never, fact as never)
  }
}
