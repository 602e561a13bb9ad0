import { sql } from '@payloadcms/db-postgres'
import type { FieldHook, PayloadRequest } from 'payload'
import { canRunInContainers } from '#contracts/agent/image-reference.ts'
import { unavailability } from '#domain/servers/availability.ts'
import type { UnavailableReason } from '#domain/servers/availability.ts'
import { administrator } from '../access/administrator.ts'
import { words } from '../fields/languages.ts'
import type { Words } from '../fields/languages.ts'

const KNOWN = 'serviceAvailability'

const orderable = words('It can be ordered here.', 'Itt rendelhető.', 'Hier bestellbar.')

/** The reasons for staff; customers read "Not available yet." */
const reasons: Readonly<Record<UnavailableReason, Words>> = {
  vps: words(
    'This version delivers no virtual servers.',
    'Ez a változat nem szolgáltat virtuális szervert.',
    'Diese Version liefert keine virtuellen Server.',
  ),
  template: words('It has no server template.', 'Nincs szerversablonja.', 'Es fehlt eine Servervorlage.'),
  image: words(
    'Its template names no image by digest.',
    'A sablonja egyetlen lemezképet sem nevez meg digesttel.',
    'Seine Vorlage nennt kein Image mit Digest.',
  ),
  runtime: words(
    'Its template needs Docker, which none of its computers has.',
    'A sablonjához Docker kell, de egyik gépén sincs.',
    'Seine Vorlage braucht Docker, das keine seiner Maschinen hat.',
  ),
  node: words(
    'None of its computers takes new servers.',
    'Egyik gépe sem fogad új szervert.',
    'Keine seiner Maschinen nimmt neue Server auf.',
  ),
}

type Row = {
  id: string
  category: string
  runtimes: string[] | null
  images: { image: string }[] | null
  installation_image: string | null
  nodes: string[]
}

const READ = sql`
  select s.id, s.category, t.runtimes, t.docker_images as images, t.installation_image,
    array(select n.runtime from control_api.node_runtimes n join cms_api.computers c on c.id = n.computer_id and c.orderable
      where cardinality(s.machine_ids) = 0 or c.id = any (s.machine_ids)) as nodes
  from cms_api.services s left join cms_api.templates t on t.id = s.server_template_id`

const sentenceOf = ({
  category,
  runtimes,
  images: listed,
  installation_image: installationImage,
  nodes,
}: Row): Words => {
  const images = (listed ?? []).map(({ image }) => image)
  const hasImages = canRunInContainers({ images, installationImage })
  const template = runtimes === null ? undefined : { runtimes, hasImages }
  const reason = unavailability({ category, template }, nodes)
  return reason === null ? orderable : reasons[reason]
}

/** A database without the control plane's tables has no sentences. */
async function readSentences({ payload }: PayloadRequest): Promise<ReadonlyMap<string, Words>> {
  const { drizzle } = payload.db
  const there = await drizzle.execute(sql`select to_regclass('control_api.node_runtimes') is not null as there`)
  if (there.rows[0]?.['there'] !== true) return new Map()
  const { rows } = await drizzle.execute(READ)
  return new Map((rows as Row[]).map((row) => [row.id, sentenceOf(row)]))
}

/** Adds the sentence when an administrator reads a service; a list reads all of its rows at once. */
export const showAvailability: FieldHook = async ({ data, originalDoc, req }) => {
  const id: unknown = data?.['id'] ?? (originalDoc as { id?: unknown } | undefined)?.id
  if (typeof id !== 'string' || !administrator({ req })) return null
  req.context[KNOWN] ??= readSentences(req)
  const sentences = await (req.context[KNOWN] as Promise<ReadonlyMap<string, Words>>)
  const { language } = req.i18n
  const sentence = sentences.get(id)
  return sentence?.[language === 'hu' || language === 'de' ? language : 'en'] ?? null
}
