import type { TextField } from 'payload'
import { IMAGE_MAX_LENGTH, imageReferenceOf } from '#contracts/agent/image-reference.ts'
import { textIn, words, type Words } from './languages.ts'

const refusal = {
  malformed: words(
    "This isn't an image: use name@sha256:… for a registry image, ~name:tag for an image already on the machines.",
    'Ez nem lemezkép: tárolóból name@sha256:…, a gépeken lévő esetén ~name:tag alakban kell megadni.',
    'Das ist kein Image: name@sha256:… für eines aus einer Registry, ~name:tag für eines, das schon auf den Maschinen liegt.',
  ),
  tagged: words(
    'A digest is required (name@sha256:…), because a tag can change. Run docker buildx imagetools inspect to see it.',
    'Digest szükséges (name@sha256:…), mert a címke mögötti tartalom megváltozhat. A docker buildx imagetools inspect kiírja.',
    'Ein Digest ist nötig (name@sha256:…): Was ein Tag benennt, kann sich ändern. docker buildx imagetools inspect zeigt ihn.',
  ),
} as const

const TAGGED =
  /^[a-z0-9][a-z0-9._/-]*(?::[0-9]+\/[a-z0-9._/-]+)?(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?(?:@sha256:[a-f0-9]{64})?$/

/** Validates an image of a template: undefined if it can be used, `tagged` for a name whose content can change. */
export const judgeImage = (text: string): keyof typeof refusal | undefined => {
  if (imageReferenceOf(text) !== undefined) return undefined
  return TAGGED.test(text) ? 'tagged' : 'malformed'
}

/** Removes copied blanks (egg files have them too) and a tag before a digest, which Docker itself ignores. */
export const tidyImage = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().replace(/:[\w.-]+(?=@sha256:)/, '') : value

/** The name of a Docker image. A name that nodes would refuse is refused when it is saved, with the reason. */
export const imageField = (name: string, options: { label: Words; required: boolean }): TextField => ({
  name,
  type: 'text',
  label: options.label,
  required: options.required,
  maxLength: IMAGE_MAX_LENGTH,
  hooks: { beforeValidate: [({ value }: { value?: unknown }) => tidyImage(value)] },
  admin: {
    description: words(
      'name@sha256:… for a registry image, ~name:tag for an image already on the machines.',
      'Tárolóból származó lemezkép: name@sha256:…; a gépeken lévő lemezkép: ~name:tag.',
      'name@sha256:… für ein Image aus einer Registry, ~name:tag für eines, das schon auf den Maschinen liegt.',
    ),
  },
  validate: (value: string | null | undefined, { req }: { req: { i18n: { language: string } } }) => {
    if (!value) return !options.required || textIn(req.i18n.language, refusal.malformed)
    const code = judgeImage(value)
    return code === undefined || textIn(req.i18n.language, refusal[code])
  },
})
