/** Code and database do not match; the message is one sentence for the person who starts the programs. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** Refuses a database with migrations that this version does not have. `names` include their schema. */
export const refuseNewer = (names: readonly string[]): void => {
  if (names.length === 0) return
  throw new MigrationRefused(
    `A newer version of Bakter has used this database: it ran ${names.join(', ')}, which this version does not have.`,
  )
}
