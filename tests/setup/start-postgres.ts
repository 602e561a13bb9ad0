import { startTestPostgres } from '../support/postgres.ts'

/** Global set-up of the integration project: one server for the run. Returns the tear-down. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestPostgres()
  return server.stop
}
