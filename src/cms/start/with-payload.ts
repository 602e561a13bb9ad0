import { getPayload, type Payload } from 'payload'
import { pointToDatabase } from './settings.ts'

/** Each call has its own instance, because it also ends the instance's pool. */
let calls = 0

/** Starts the CMS on this database for `work`, and ends it: for tools that run beside the site. */
export const withPayload = async <Result>(
  databaseUrl: string,
  work: (payload: Payload) => Promise<Result>,
): Promise<Result> => {
  // The config reads its database from the environment when it is loaded.
  pointToDatabase(databaseUrl)
  const { default: config } = await import('../../../payload.config.ts')
  calls += 1
  const payload = await getPayload({ config, key: `tool ${calls}` })
  try {
    return await work(payload)
  } finally {
    await payload.destroy()
    await payload.db.pool.end()
  }
}
