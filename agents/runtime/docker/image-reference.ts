import { IMAGE_MAX_LENGTH, imageReferenceOf, type ImageReference } from '#contracts/agent/image-reference.ts'

export type ImageRefusal =
  /** The template's list does not name this image. */
  | 'IMAGE_NOT_LISTED'
  /** The list names it by something that can change, such as a tag. */
  | 'IMAGE_NOT_PINNED'
  /** It would come from a registry in the node's own network. */
  | 'IMAGE_REGISTRY_REFUSED'

export type ImageVerdict =
  | { readonly ok: true; readonly image: ImageReference }
  | { readonly ok: false; readonly code: ImageRefusal; readonly message: string }

/** The registry of an image name, by Docker's rule: a first part with a dot or a port, or `localhost`. */
export const registryOf = (name: string): string => {
  const [first = '', ...rest] = name.split('/')
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io'
}

/** Names and addresses of the node or its own network, as opposed to public registries. */
const isInternal = (registry: string): boolean => {
  const host = registry.replace(/:\d+$/, '')
  const isAddress = /^[\d.]+$/.test(host)
  return isAddress || !host.includes('.') || /\.(local|localhost|internal|lan|home|intranet|corp|arpa)$/.test(host)
}

const no = (code: ImageRefusal, message: string): ImageVerdict => ({ ok: false, code, message })

/**
 * Decides whether a server of a template may run `wanted`. It must match an entry of the template's list exactly, so
 * that a customer chooses from the list and never writes a name. `internalRegistries` are the hosts in the node's own
 * network that the operator allows, such as `10.0.0.5:5000`.
 */
export const allowImage = (
  wanted: string,
  listed: readonly string[],
  internalRegistries: readonly string[] = [],
): ImageVerdict => {
  if (!listed.includes(wanted)) return no('IMAGE_NOT_LISTED', "The image is not in the template's list.")
  if (wanted.length > IMAGE_MAX_LENGTH) return no('IMAGE_NOT_PINNED', "The image's name is too long.")
  const image = imageReferenceOf(wanted)
  if (image === undefined) {
    const message = `The template must name its image by digest (name@sha256:…) or mark it as local (~name:tag): ${wanted}`
    return no('IMAGE_NOT_PINNED', message)
  }
  if (image.kind === 'local') return { ok: true, image }
  const registry = registryOf(image.name)
  if (isInternal(registry) && !internalRegistries.includes(registry)) {
    return no('IMAGE_REGISTRY_REFUSED', `The registry ${registry} is in the node's own network and not allowed there.`)
  }
  return { ok: true, image }
}

/** The image's name in Docker. */
export const referenceOf = (image: ImageReference): string =>
  image.kind === 'local' ? image.reference : `${image.name}@${image.digest}`
