import type { Session } from '../session.ts'

/** Which copy of the file this is, and when (chain time, unix seconds) the hot wallet may sign. */
export interface FileIdentity {
  identity: string
  signsFrom: bigint
}

/** The queries by which the facilitator detects that its file was restored to an earlier state. */
export function fileIdentityStore(session: Session) {
  return {
    /**
     * Returns the identity of the present database: server, timeline, database and table file. A restart keeps all of
     * them; each way of restoring a backup changes one.
     */
    async currentIdentity(): Promise<string> {
      const { rows } = await session.query<{ identity: string }>('select facilitator.current_identity() as identity')
      const [row] = rows
      if (!row) throw new Error('facilitator.current_identity() returned no row')
      return row.identity
    },

    /** Returns the identity under which the facilitator last wrote, or undefined if it never did. */
    async recordedIdentity(): Promise<FileIdentity | undefined> {
      const { rows } = await session.query<{ identity: string; signs_from: string }>(
        'select identity, signs_from from facilitator.file_identity',
      )
      const [row] = rows
      return row && { identity: row.identity, signsFrom: BigInt(row.signs_from) }
    },

    /** Returns whether the file has any authorization of the hot wallet. */
    async hasAuthorizations(): Promise<boolean> {
      const { rowCount } = await session.query('select from facilitator.authorizations limit 1')
      return rowCount !== 0
    },

    async recordIdentity({ identity, signsFrom }: FileIdentity): Promise<void> {
      await session.query(
        `insert into facilitator.file_identity (singleton, identity, signs_from) values (true, $1, $2)
         on conflict (singleton) do update set identity = excluded.identity, signs_from = excluded.signs_from`,
        [identity, signsFrom],
      )
    },
  }
}
