/** A sub-command's file. `run` answers the exit code, none for 0; it throws an error whose message is for the user. */
interface CommandModule {
  run: (args: string[]) => Promise<number | undefined>
}

export interface Command {
  summary: string
  load: () => Promise<CommandModule>
}

/** The sub-commands of ./market. A command's file is read when it is used, and not before. */
export const commands: Record<string, Command> = {
  up: { summary: 'run the whole sandbox, everything set up', load: () => import('./up.ts') },
  demo: { summary: 'two real trades, step by step, then an audit', load: () => import('./demo.ts') },
  test: { summary: 'run the tests, all or those of one area', load: () => import('./test.ts') },
  check: { summary: 'check form, types, unused code and generated files', load: () => import('./check.ts') },
  audit: { summary: 'prove settlement from chain data', load: () => import('./audit.ts') },
  bench: { summary: 'measure', load: () => import('./bench.ts') },
  migrate: { summary: 'bring the database up to date', load: () => import('./migrate.ts') },
  restored: {
    summary: 'after a restore of the database: end what it would let be used again',
    load: () => import('./restored.ts'),
  },
  deploy: { summary: 'deploy the contracts', load: () => import('./deploy.ts') },
  generate: { summary: 'rewrite the ABIs in protocol/ from the contracts', load: () => import('./generate.ts') },
  api: { summary: 'run the API', load: () => import('./api.ts') },
  worker: { summary: 'run the worker', load: () => import('./worker.ts') },
  indexer: { summary: 'run the indexer', load: () => import('./indexer.ts') },
  keystore: { summary: 'encrypt a key of the facilitator', load: () => import('./keystore.ts') },
  facilitator: { summary: 'run the facilitator', load: () => import('./facilitator.ts') },
}
