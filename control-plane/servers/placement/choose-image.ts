import { canRunInContainers, runnableImages } from '#contracts/agent/image-reference.ts'
import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'

type Images = Pick<TemplateRow, 'docker_images' | 'installation_image'>

const imagesOf = ({ docker_images: images }: Images): string[] => images.map(({ image }) => image)

/** Whether the template's servers can be installed and run in containers. */
export const canRunInDocker = (template: Images): boolean =>
  canRunInContainers({ images: imagesOf(template), installationImage: template.installation_image })

/** The images of a template that customers can choose from, with their labels. */
export const imageChoices = (template: Images): { label: string; image: string }[] => {
  const runnable = runnableImages(imagesOf(template))
  return template.docker_images.filter(({ image }) => runnable.includes(image))
}

export type ChosenImages = {
  readonly ok: true
  readonly image: string | null
  readonly installImage: string | null
  /** All images that the node may run for this server. */
  readonly images: readonly string[]
}

/**
 * The images of a new server. `wanted` must match an entry of the template's list exactly; without it the first one is
 * used. A node without containers needs none.
 */
export function chooseImages(
  template: Images,
  { runtime, wanted }: { runtime: string; wanted: string | undefined },
): ChosenImages | OrderRefusal {
  const listed = runnableImages(imagesOf(template))
  if (wanted !== undefined && !listed.includes(wanted)) return refuseOrder('IMAGE_NOT_LISTED')
  if (runtime !== 'docker') return { ok: true, image: null, installImage: null, images: [] }
  const image = wanted ?? listed[0]
  if (image === undefined) return refuseOrder('NOT_ORDERABLE')
  const { installation_image: installImage } = template
  return { ok: true, image, installImage, images: [...listed, ...(installImage === null ? [] : [installImage])] }
}
