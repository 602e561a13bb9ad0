import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** Nobody could confirm an e-mail address before there was mail: whoever has an account by now counts as confirmed. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`UPDATE public.users SET verified = true WHERE NOT verified`)
}

/** Nothing is taken back: who was confirmed before is not known. */
export async function down(_: MigrateDownArgs): Promise<void> {}
