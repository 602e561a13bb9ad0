import * as z from 'zod'
import { LocalizedText } from '../locale.ts'
import { InnerPath } from './node-files.ts'

/** The formats whose values can be changed one by one, while every other byte stays. */
export const DESCRIBED_FORMATS = ['properties', 'yaml'] as const

const MAX_FILES = 20
const MAX_FIELDS = 200
const MAX_GROUPS = 20
const MAX_OPTIONS = 50
const Value = z.string().max(400)
const Slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
/** A preset is the value that the program takes where the file has none, or one that it does not understand. */
const kindOf = <Choice extends z.ZodType>(choice: Choice) =>
  z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('switch'), preset: z.enum(['true', 'false']) }),
    z.strictObject({ is: z.literal('number'), min: z.int(), max: z.int(), preset: Value }),
    z.strictObject({
      is: z.literal('choice'),
      options: z.array(Value).min(1).max(MAX_OPTIONS),
      /** The names of the options; those without one show their value. */
      names: z.record(Value, choice).optional(),
      preset: Value,
      /** Takes other values too. */
      isOpen: z.boolean().optional(),
    }),
    z.strictObject({ is: z.literal('text'), preset: Value }),
    z.strictObject({ is: z.literal('secret'), preset: z.literal('') }),
  ])

const fileWith = <Text extends z.ZodType>(text: Text) =>
  z.strictObject({
    /** Where the file is in the server's folder. */
    path: InnerPath,
    format: z.enum(DESCRIBED_FORMATS),
    groups: z
      .array(z.strictObject({ id: Slug, name: text }))
      .min(1)
      .max(MAX_GROUPS),
    fields: z
      .array(
        z.strictObject({
          /** In YAML the names on the way to the value, with dots between. */
          key: z.string().min(1).max(200),
          group: Slug,
          kind: kindOf(text),
          name: text,
          help: text,
        }),
      )
      .min(1)
      .max(MAX_FIELDS),
  })

/** The files that a template describes, in the languages of the site: each becomes a form beside its text. */
export const TemplateFiles = z
  .array(fileWith(LocalizedText))
  .max(MAX_FILES)
  .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'a file stands twice')
  .refine(
    (files) => files.every(({ fields }) => new Set(fields.map(({ key }) => key)).size === fields.length),
    'a key stands twice',
  )
  .refine(
    (files) =>
      files.every(({ groups, fields }) => fields.every((field) => groups.some(({ id }) => id === field.group))),
    'a field stands in no group',
  )
export type TemplateFiles = z.infer<typeof TemplateFiles>

const DescribedFile = fileWith(z.string())
export type DescribedFile = z.infer<typeof DescribedFile>

/** `GET /api/server/{id}/described-files`: the files that the server's template describes, in the reader's language. */
export const DescribedFiles = z.object({ files: z.array(DescribedFile) })
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
