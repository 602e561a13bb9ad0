import type { MigrateDownArgs, MigrateUpArgs } from '@payloadcms/db-postgres'
import * as initial from './20261121_011624_initial.ts'
import * as cmsApiViews from './20261121_012000_cms_api_views.ts'
import * as pinnedImages from './20261121_074000_pinned_images.ts'

export type CmsMigration = {
  /** What the table of migrations records; also the file's name. */
  name: string
  up: (args: MigrateUpArgs) => Promise<void>
  down: (args: MigrateDownArgs) => Promise<void>
}

/** In the order they run. */
export const migrations: CmsMigration[] = [
  { name: '20261121_011624_initial', up: initial.up, down: initial.down },
  { name: '20261121_012000_cms_api_views', up: cmsApiViews.up, down: cmsApiViews.down },
  { name: '20261121_074000_pinned_images', up: pinnedImages.up, down: pinnedImages.down },
]
