import * as z from 'zod'
import type { LocalizedText } from '../locale.ts'
import { nameOf } from './file-path.ts'
import { InnerPath } from './checked-path.ts'

/** The formats whose values can be changed one by one, while every other byte stays. */
export const DESCRIBED_FORMATS = ['properties', 'yaml'] as const

const MAX_FILES = 20
const MAX_FIELDS = 200
const MAX_GROUPS = 20
const MAX_OPTIONS = 50
/** PostgreSQL's JSON keeps neither of these. */
const isKept = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const Value = z.string().max(400).refine(isKept, 'a sign that cannot be kept')
const Slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)

/** Whether a template can describe a file of this name: the panel has a form of its own for server.properties. */
export const isDescribable = (path: string): boolean =>
  nameOf(path) !== 'server.properties' && /[^.]\.(?:properties|ini|cfg|conf|env|ya?ml)$/i.test(nameOf(path))

/** A schema of objects: one that refuses words that nothing reads, or one that leaves them out. */
type ObjectOf = typeof z.object

/** A preset is the value that the program takes where the file has none, or one that it does not understand. */
const kindOf = <Choice extends z.ZodType>(choice: Choice, object: ObjectOf) =>
  z.discriminatedUnion('is', [
    object({ is: z.literal('switch'), preset: z.enum(['true', 'false']) }),
    object({ is: z.literal('number'), min: z.int(), max: z.int(), preset: Value }),
    object({
      is: z.literal('choice'),
      options: z.array(Value).min(1).max(MAX_OPTIONS),
      /** The names of the options; those without one show their value. */
      names: z.record(Value, choice).optional(),
      preset: Value,
      /** Takes other values too. */
      isOpen: z.boolean().optional(),
    }),
    object({ is: z.literal('text'), preset: Value }),
    object({ is: z.literal('secret'), preset: z.literal('') }),
  ])

const fileWith = <Text extends z.ZodType>(text: Text, object: ObjectOf) =>
  object({
    /** Where the file is in the server's folder. */
    path: InnerPath.refine(isKept, 'a sign that cannot be kept'),
    format: z.enum(DESCRIBED_FORMATS),
    groups: z
      .array(object({ id: Slug, name: text }))
      .min(1)
      .max(MAX_GROUPS),
    fields: z
      .array(
        object({
          /** In YAML the names on the way to the value, with dots between. */
          key: z.string().min(1).max(200).refine(isKept, 'a sign that cannot be kept'),
          group: Slug,
          kind: kindOf(text, object),
          name: text,
          help: text,
        }),
      )
      .min(1)
      .max(MAX_FIELDS),
  })

const textsWith = (object: ObjectOf) => object({ en: Value, hu: Value, de: Value })
/** Staff read which word is wrong. */
const strict = z.strictObject as unknown as ObjectOf

const areDifferent = (all: readonly string[]): boolean => new Set(all).size === all.length
type Kind = z.infer<ReturnType<typeof kindOf<z.ZodType>>>
const choices = (fields: readonly { readonly kind: Kind }[]) =>
  fields.flatMap(({ kind }) => (kind.is === 'choice' ? [kind] : []))

const TemplateFile = fileWith(textsWith(strict), strict)
  .refine(({ path }) => isDescribable(path), 'a file of this name has no form')
  .refine(({ groups }) => areDifferent(groups.map(({ id }) => id)), 'a group stands twice')
  .refine(({ groups }) => groups.every(({ id }) => id !== 'other'), 'the group "other" is that of further keys')
  .refine(({ fields }) => areDifferent(fields.map(({ key }) => key)), 'a key stands twice')
  .refine(
    ({ groups, fields }) => fields.every((field) => groups.some(({ id }) => id === field.group)),
    'a field stands in no group',
  )
  .refine(
    ({ fields }) => fields.every(({ kind }) => kind.is !== 'number' || kind.min <= kind.max),
    'a minimum is above its maximum',
  )
  .refine(
    ({ fields }) => choices(fields).every((kind) => kind.isOpen === true || kind.options.includes(kind.preset)),
    'a preset is none of the options',
  )
  .refine(
    ({ fields }) =>
      choices(fields).every(({ options, names = {} }) => Object.keys(names).every((of) => options.includes(of))),
    'a name is that of no option',
  )

/** The files that a template describes, in the languages of the site, as staff enter them: each becomes a form beside its text. */
export const TemplateFiles = z
  .array(TemplateFile)
  .max(MAX_FILES)
  .refine((files) => areDifferent(files.map(({ path }) => path)), 'a file stands twice')
export type TemplateFiles = z.infer<typeof TemplateFiles>

/** A list without the files that are not understood: a release that knows more may have written them. */
const understood = <File extends z.ZodType>(file: File) =>
  z.preprocess(
    (files: z.infer<File>[]): unknown =>
      Array.isArray(files) ? files.filter((each) => file.safeParse(each).success) : files,
    z.array(file),
  )

/** The files that a template describes, as programs read them. */
export const StoredTemplateFiles = understood(fileWith(textsWith(z.object), z.object))

const DescribedFile = fileWith(Value, z.object)
export type DescribedFile = z.infer<typeof DescribedFile>

/** `GET /api/server/{id}/described-files`: the files that the server's template describes, in the reader's language. */
export const DescribedFiles = z.object({ files: understood(DescribedFile) })
export type DescribedFiles = z.infer<typeof DescribedFiles>

/** The same files in one language. */
export const describedIn = (files: TemplateFiles, locale: keyof LocalizedText): DescribedFile[] =>
  files.map(({ groups, fields, ...file }) => ({
    ...file,
    groups: groups.map(({ id, name }) => ({ id, name: name[locale] })),
    fields: fields.map(({ kind, name, help, ...field }) => ({
      ...field,
      kind:
        kind.is === 'choice'
          ? {
              ...kind,
              names:
                kind.names && Object.fromEntries(Object.entries(kind.names).map(([of, text]) => [of, text[locale]])),
            }
          : kind,
      name: name[locale],
      help: help[locale],
    })),
  }))
