/** Runs the API with the given environment until a signal ends it. */
export async function run(): Promise<undefined> {
  await import('../../api/main.ts')
}
