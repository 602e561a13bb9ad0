import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** What the demo content named by tag before templates had to name images by digest: node:24-bookworm-slim of Node 24.18.0. */
const TAGGED = 'node:24-bookworm-slim'
const PINNED = 'node@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d'
/** Named by tags that no node takes, in templates that never could be installed. Staff choose their content. */
const WITHOUT_DIGEST = [
  'ghcr.io/pterodactyl/yolks:java_21',
  'ghcr.io/pterodactyl/yolks:debian',
  'ghcr.io/pterodactyl/yolks:wine_latest',
  'ghcr.io/pterodactyl/games:source',
  'ghcr.io/pterodactyl/games:arma3',
]

/** Images of the demo content become ones that nodes take; what staff wrote stays as it is. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`UPDATE public.templates_docker_images SET image = ${PINNED} WHERE image = ${TAGGED}`)
  for (const image of WITHOUT_DIGEST) {
    await db.execute(sql`DELETE FROM public.templates_docker_images WHERE image = ${image}`)
  }
}

/** Nothing is taken back: a tag would serve no node. */
export async function down(_: MigrateDownArgs): Promise<void> {}
