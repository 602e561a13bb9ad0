import type { Service } from '#contracts/http/service.ts'
import type { PackageRow, ServiceRow, TemplateRow } from '#contracts/cms-api/rows.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Context } from '../../platform/context.ts'
import { readPackages, readServices, readTemplates } from '../../cms/catalog-reader.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'

const NOT_YET = { en: 'Not available yet.', hu: 'Még nem rendelhető.', de: 'Noch nicht verfügbar.' } as const

/**
 * Why a service cannot be rented on this installation, for its card. Customers cannot do anything about the cause, so
 * the sentences do not name it.
 */
const UNAVAILABLE: Readonly<Record<'runtime' | 'node' | 'vps' | 'template', Record<Locale, string>>> = {
  runtime: NOT_YET,
  node: {
    en: 'Not available right now.',
    hu: 'Jelenleg nem rendelhető.',
    de: 'Derzeit nicht verfügbar.',
  },
  vps: NOT_YET,
  template: NOT_YET,
}

/** The catalog in the caller's language: every orderable service with its orderable packages, in the staff's order. */
export async function listServices({ db, clock }: Pick<Context, 'db' | 'clock'>, locale: Locale): Promise<Service[]> {
  const [services, packages, templates, runtimes] = await Promise.all([
    readServices(db),
    readPackages(db),
    readTemplates(db),
    db.query<{ runtime: string }>(
      `select distinct n.runtime from control.nodes n
       join control.agent_sessions a on a.node_id = n.id and a.renewed_at > $1`,
      [new Date(clock.now() - SESSION_LEASE_MS)],
    ),
  ])
  const connected = new Set(runtimes.map((row) => row.runtime))
  return services
    .filter((service) => service.orderable)
    .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    .map((service) => {
      const own = packages
        .filter((item) => item.service_id === service.id && item.orderable)
        .toSorted((a, b) => a.price_per_month_ft - b.price_per_month_ft || (a.id < b.id ? -1 : 1))
      const template = templates.find((item) => item.id === service.server_template_id)
      const reason = unavailable(service, template, connected)
      return serviceOf(service, { locale, packages: own, unavailableReason: reason && UNAVAILABLE[reason][locale] })
    })
}

function unavailable(
  service: ServiceRow,
  template: TemplateRow | undefined,
  connected: ReadonlySet<string>,
): keyof typeof UNAVAILABLE | null {
  if (service.category === 'vps') return 'vps'
  if (!template) return 'template'
  if (connected.size === 0) return 'node'
  return connected.has('fake') || template.runtimes.some((runtime) => connected.has(runtime)) ? null : 'runtime'
}

type Facts = { locale: Locale; packages: readonly PackageRow[]; unavailableReason: string | null }

function serviceOf(row: ServiceRow, { locale, packages, unavailableReason }: Facts): Service {
  const { points_count: pointsCount, minimum_point: minimumPoint, price_per_point_ft: pricePerPointFt } = row
  const byPoints = pointsCount !== null && minimumPoint !== null && pricePerPointFt !== null
  return {
    id: row.id,
    slug: row.slug,
    name: row.name[locale],
    description: row.description[locale],
    category: row.category,
    serverTemplate: row.server_template_id,
    machine: row.machine_ids,
    banner: row.banner,
    icon: row.icon,
    orderable: row.orderable,
    highlighted: row.highlighted,
    packages: packages.map((item) => ({
      id: item.id,
      name: item.name[locale],
      description: item.description[locale],
      serverType: row.name[locale],
      pricePerMonthFt: item.price_per_month_ft,
      cpuPercent: item.cpu_percent,
      ramMiB: item.memory_mib,
      storageMiB: item.storage_mib,
      orderable: item.orderable,
      highlighted: item.highlighted,
    })),
    resources: row.resources,
    operatingSystems: row.operating_systems,
    points: byPoints ? { pointsCount, minimumPoint, pricePerPointFt } : null,
    startingPriceFt: row.starting_price_ft,
    unavailableReason,
  }
}
