/** Runs one process of the service, with the environment it is given. It goes on until a signal ends it. */
export async function run(): Promise<undefined> {
  await import('../api/main.ts')
}
