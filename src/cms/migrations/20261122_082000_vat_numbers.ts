import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** Who has a tax number is looked for every half minute; few have one. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    CREATE INDEX "users_with_tax_number" ON "public"."users" ("id") WHERE coalesce("billing_tax_number", '') <> '';`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`DROP INDEX "public"."users_with_tax_number";`)
}
