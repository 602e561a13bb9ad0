import type { TemplateFiles } from '#contracts/panel/described-files.ts'
import type * as z from 'zod'
import {
  KnownErrorRow,
  PackageRow,
  ServicePicturesRow,
  ServiceRow,
  TemplateFilesRow,
  TemplateGuideRow,
  TemplateRow,
} from '#contracts/cms-api/rows.ts'
import type { Sql } from '#platform/postgres/database.ts'

type View =
  'packages' | 'services' | 'templates' | 'template_guides' | 'template_files' | 'known_errors' | 'service_pictures'

/**
 * Reads rows of a view in schema `cms_api` and parses them by the contract; a drift fails here, with the view's name.
 */
async function rows<Row extends z.ZodType>(
  sql: Sql,
  from: { view: View; schema: Row; where?: string; values?: readonly unknown[] },
): Promise<z.infer<Row>[]> {
  const found = await sql.query<Record<string, unknown>>(
    `select * from cms_api.${from.view} ${from.where ?? ''}`,
    from.values,
  )
  return found.map((row) => from.schema.parse(withNumbers(row)))
}

/** The pool returns bigint columns as bigint; the views contain nothing above 2^53. */
const withNumbers = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
  )

/** Every service, including those that cannot be ordered. */
export async function readServices(sql: Sql): Promise<ServiceRow[]> {
  return rows(sql, { view: 'services', schema: ServiceRow, where: 'order by position, id' })
}

/** One service, or undefined. */
export async function readService(sql: Sql, id: string): Promise<ServiceRow | undefined> {
  return (await rows(sql, { view: 'services', schema: ServiceRow, where: 'where id = $1', values: [id] }))[0]
}

/** Every package, including those that cannot be ordered. */
export async function readPackages(sql: Sql): Promise<PackageRow[]> {
  return rows(sql, { view: 'packages', schema: PackageRow, where: 'order by price_per_month_ft, id' })
}

/** One package, or undefined. */
export async function readPackage(sql: Sql, id: string): Promise<PackageRow | undefined> {
  return (await rows(sql, { view: 'packages', schema: PackageRow, where: 'where id = $1', values: [id] }))[0]
}

/** One server template, or undefined. */
export async function readTemplate(sql: Sql, id: string): Promise<TemplateRow | undefined> {
  return (await rows(sql, { view: 'templates', schema: TemplateRow, where: 'where id = $1', values: [id] }))[0]
}

/** Every server template. */
export async function readTemplates(sql: Sql): Promise<TemplateRow[]> {
  return rows(sql, { view: 'templates', schema: TemplateRow })
}

/** The version and the player guide of every template. */
export async function readTemplateGuides(sql: Sql): Promise<TemplateGuideRow[]> {
  return rows(sql, { view: 'template_guides', schema: TemplateGuideRow })
}

/** The configuration files that a template describes. */
export async function readTemplateFiles(sql: Sql, id: string): Promise<TemplateFiles> {
  const [row] = await rows(sql, {
    view: 'template_files',
    schema: TemplateFilesRow,
    where: 'where id = $1',
    values: [id],
  })
  return row?.described_files ?? []
}

/** The pictures of every service. */
export async function readServicePictures(sql: Sql): Promise<ServicePicturesRow[]> {
  return rows(sql, { view: 'service_pictures', schema: ServicePicturesRow })
}

/** More rules than a console should try with every line. The oldest ones stay. */
const MAX_KNOWN_ERRORS = 200

/** Staff's active rules for servers of a template. */
export async function readKnownErrors(sql: Sql, templateId: string): Promise<KnownErrorRow[]> {
  const where = `where template_ids = '{}' or $1::uuid = any (template_ids) order by id limit ${MAX_KNOWN_ERRORS}`
  return rows(sql, { view: 'known_errors', schema: KnownErrorRow, where, values: [templateId] })
}
