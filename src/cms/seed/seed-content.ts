import { createLocalized, type SeedTarget, writeGlobal } from './write-localized.ts'
import { documents, navigation, news } from './content/documents.ts'
import { landing } from './content/landing.ts'
import { questions } from './content/questions.ts'
import { roles } from './content/roles.ts'
import { type PackageSeed, popularServices, services, type ServiceSeed } from './content/services.ts'
import { templates } from './content/templates.ts'

const writeServices = async (target: SeedTarget, templateIds: ReadonlyMap<string, string>) => {
  const ids = new Map<string, string>()
  for (const [place, service] of services.entries()) {
    const { packages, template, ...rest } = service
    const serverTemplate = template === null ? undefined : templateIds.get(template)
    const id = await createLocalized(target, 'services', serviceData(rest, { place, serverTemplate }))
    ids.set(service.slug, id)
    for (const entry of packages) await createLocalized(target, 'packages', packageData(entry, id))
  }
  return ids
}

const serviceData = (
  service: Omit<ServiceSeed, 'packages' | 'template'>,
  { place, serverTemplate }: { place: number; serverTemplate: string | undefined },
) => ({
  ...service,
  orderable: true,
  position: (place + 1) * 10,
  ...(serverTemplate ? { serverTemplate } : {}),
})

const packageData = (entry: PackageSeed, service: string) => ({ ...entry, service, orderable: true })

/** Writes the content of a new installation: roles, templates, services with packages, landing page, documents. */
export const seedContent = async (target: SeedTarget): Promise<void> => {
  for (const role of roles) await createLocalized(target, 'roles', role)
  const templateIds = new Map<string, string>()
  for (const template of templates) {
    templateIds.set(template.slug, await createLocalized(target, 'templates', template))
  }
  const serviceIds = await writeServices(target, templateIds)
  for (const item of news) await createLocalized(target, 'news', item)
  const popular = popularServices.flatMap((slug) => serviceIds.get(slug) ?? [])
  await writeGlobal(target, 'landing', {
    ...landing,
    faq: questions,
    banners: { ...landing.banners, popularServices: popular },
  })
  await writeGlobal(target, 'navigation', navigation)
  await writeGlobal(target, 'documents', documents)
  await writeGlobal(target, 'settings', { hostName: 'Bakter' })
}
