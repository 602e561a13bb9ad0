import { isTestPostgresStarted, startTestPostgres } from '../support/postgres.ts'

/** Global set-up of the projects with a database: one server for the run, which the first of them starts and ends. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (isTestPostgresStarted()) return undefined
  const server = await startTestPostgres()
  return server.stop
}
