/**
 * A template's image. `pinned`: by content, which cannot change (`name@sha256:…`). `local`: put on the node by its
 * operator and never pulled, written `~name:tag`.
 */
export type ImageReference =
  | { readonly kind: 'pinned'; readonly name: string; readonly digest: string }
  | { readonly kind: 'local'; readonly reference: string }

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const HOST = '(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?/)?'
const NAME = `${HOST}${COMPONENT}(?:/${COMPONENT})*`
const PINNED = new RegExp(`^(${NAME})@(sha256:[a-f0-9]{64})$`)
const LOCAL = new RegExp(`^~(${COMPONENT}(?:/${COMPONENT})*:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$`)
export const IMAGE_MAX_LENGTH = 400

/** Parses a template's image; undefined for names whose content can change, such as a tag. */
export const imageReferenceOf = (text: string): ImageReference | undefined => {
  if (text.length > IMAGE_MAX_LENGTH) return undefined
  const [, local] = LOCAL.exec(text) ?? []
  if (local !== undefined) return { kind: 'local', reference: local }
  const [, name, digest] = PINNED.exec(text) ?? []
  return name === undefined || digest === undefined ? undefined : { kind: 'pinned', name, digest }
}

/** The images of a list that a node accepts. Templates saved before that rule may contain tags. */
export const runnableImages = (images: readonly string[]): string[] =>
  images.filter((image) => imageReferenceOf(image) !== undefined)

/** Whether servers with these images can be installed and run in containers; without an installation image the first part is left out. */
export const canRunInContainers = ({
  images,
  installationImage,
}: {
  readonly images: readonly string[]
  readonly installationImage: string | null | undefined
}): boolean =>
  (!installationImage || imageReferenceOf(installationImage) !== undefined) && runnableImages(images).length > 0
