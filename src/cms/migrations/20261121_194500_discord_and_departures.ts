import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The application of Discord, and whether an account is being deleted or was. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    CREATE TYPE "public"."enum_users_account_state" AS ENUM('active', 'leaving', 'erased');
    ALTER TABLE "users" ADD COLUMN "account_state" "enum_users_account_state" DEFAULT 'active';
    ALTER TABLE "settings" ADD COLUMN "discord_client_id" varchar;
    ALTER TABLE "settings" ADD COLUMN "discord_client_secret" varchar;
    CREATE INDEX "users_account_state_idx" ON "users" USING btree ("account_state");`)
}

/** Nobody leaves any more, and no Discord account is linked. */
export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP INDEX "users_account_state_idx";
    ALTER TABLE "users" DROP COLUMN "account_state";
    ALTER TABLE "settings" DROP COLUMN "discord_client_id";
    ALTER TABLE "settings" DROP COLUMN "discord_client_secret";
    DROP TYPE "public"."enum_users_account_state";`)
}
