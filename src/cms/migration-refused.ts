/** Code and database do not fit; the message is one sentence for the person who starts the programs. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** Refuses when the database has run migrations that this version does not have. `names` carry their schema. */
export const refuseNewer = (names: readonly string[]): void => {
  if (names.length === 0) return
  throw new MigrationRefused(
    `A newer version of Bakter has used this database: it ran ${names.join(', ')}, which this version does not have.`,
  )
}
