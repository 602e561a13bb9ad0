import pg from 'pg'
import { columnTypes } from './column-types.ts'

/** A dedicated connection for work that needs a session, such as a migration under an advisory lock. */
export const withPostgresClient = async <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url, application_name: 'migration', types: columnTypes })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
