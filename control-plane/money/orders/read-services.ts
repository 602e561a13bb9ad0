import type { Service } from '#contracts/http/service.ts'
import type {
  PackageRow,
  ServicePicturesRow,
  ServiceRow,
  TemplateGuideRow,
  TemplateRow,
} from '#contracts/cms-api/rows.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Context } from '../../platform/context.ts'
import {
  readPackages,
  readServicePictures,
  readServices,
  readTemplateGuides,
  readTemplates,
} from '../../cms/catalog-reader.ts'
import { runsOn, unavailability } from '#domain/servers/availability.ts'
import type { UnavailableReason } from '#domain/servers/availability.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import { canRunInDocker } from '../../servers/placement/choose-image.ts'
import { pingUrlOf } from '#contracts/panel/agent-paths.ts'

/** The sentence for customers; staff read the reason itself in the admin. */
const NOT_YET: Record<Locale, string> = {
  en: 'Not available yet.',
  hu: 'Még nem rendelhető.',
  de: 'Noch nicht verfügbar.',
}
const NOT_NOW: Record<Locale, string> = {
  en: 'Not available right now.',
  hu: 'Jelenleg nem rendelhető.',
  de: 'Derzeit nicht verfügbar.',
}

type Node = {
  readonly computer_id: string
  readonly runtime: string
  readonly url: string
  readonly city: string | null
  readonly country: string | null
}

/** The computers that take new servers and whose agent is connected. */
const CONNECTED = `
  select n.computer_id, n.runtime, c.url, p.city, p.country
  from control.nodes n
  join control.agent_sessions a on a.node_id = n.id and a.renewed_at > $1
  join cms_api.computers c on c.id = n.computer_id and c.orderable
  join cms_api.computer_places p on p.id = c.id
  order by c.name, c.id`

/** The catalog in the caller's language: every orderable service with its orderable packages, in the staff's order. */
export async function listServices({ db, clock }: Pick<Context, 'db' | 'clock'>, locale: Locale): Promise<Service[]> {
  const [services, packages, templates, guides, pictures, nodes] = await Promise.all([
    readServices(db),
    readPackages(db),
    readTemplates(db),
    readTemplateGuides(db),
    readServicePictures(db),
    db.query<Node>(CONNECTED, [new Date(clock.now() - SESSION_LEASE_MS)]),
  ])
  return services
    .filter((service) => service.orderable)
    .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    .map((service) => {
      const own = packages
        .filter((item) => item.service_id === service.id && item.orderable)
        .toSorted((a, b) => a.price_per_month_ft - b.price_per_month_ft || (a.id < b.id ? -1 : 1))
      const template = templates.find((item) => item.id === service.server_template_id)
      const guide = guides.find((item) => item.id === service.server_template_id)
      const shown = pictures.find((item) => item.id === service.id)
      return serviceOf(service, { locale, packages: own, guide, pictures: shown, ...offered(service, template, nodes) })
    })
}

/** Where the service can be installed now, and why nowhere. */
function offered(
  service: ServiceRow,
  row: TemplateRow | undefined,
  nodes: readonly Node[],
): { nodes: readonly Node[]; reason: UnavailableReason | null } {
  const allowed = nodes.filter(
    ({ computer_id: id }) => service.machine_ids.length === 0 || service.machine_ids.includes(id),
  )
  const template = row && { runtimes: row.runtimes, hasImages: canRunInDocker(row) }
  const reason = unavailability(
    { category: service.category, template },
    allowed.map(({ runtime }) => runtime),
  )
  const able = template && reason === null ? allowed.filter(({ runtime }) => runsOn(template, runtime)) : []
  return { nodes: able, reason }
}

type Facts = {
  locale: Locale
  packages: readonly PackageRow[]
  guide: TemplateGuideRow | undefined
  pictures: ServicePicturesRow | undefined
  nodes: readonly Node[]
  reason: UnavailableReason | null
}

function playersOf(guide: TemplateGuideRow | undefined): Service['players'] {
  if (!guide || guide.player_memory_mib === null) return null
  return { baseMemoryMiB: guide.base_memory_mib ?? 0, playerMemoryMiB: guide.player_memory_mib }
}

function serviceOf(row: ServiceRow, { locale, packages, guide, pictures, nodes, reason }: Facts): Service {
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
    banner: pictures?.banner ?? null,
    icon: pictures?.icon ?? null,
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
    version: guide?.version ?? null,
    players: playersOf(guide),
    places: nodes.map(({ city, country, url }) => ({ city, country, pingUrl: pingUrlOf(url) })),
    unavailableReason: reason && (reason === 'node' ? NOT_NOW : NOT_YET)[locale],
  }
}
