import {
  BlocksFeature,
  EXPERIMENTAL_TableFeature,
  lexicalEditor,
  LinkFeature,
  UploadFeature,
} from '@payloadcms/richtext-lexical'
import type { Block } from 'payload'
import { words } from './languages.ts'

const CodeBlock: Block = {
  slug: 'code',
  interfaceName: 'PostCode',
  labels: { singular: words('Code', 'Kód', 'Code'), plural: words('Code', 'Kód', 'Code') },
  fields: [
    {
      name: 'title',
      type: 'text',
      maxLength: 80,
      label: words('File or place', 'Fájl vagy hely', 'Datei oder Ort'),
    },
    {
      name: 'code',
      type: 'textarea',
      required: true,
      maxLength: 10_000,
      label: words('Code', 'Kód', 'Code'),
    },
  ],
}

const NoteBlock: Block = {
  slug: 'note',
  interfaceName: 'PostNote',
  labels: { singular: words('Note', 'Megjegyzés', 'Hinweis'), plural: words('Notes', 'Megjegyzések', 'Hinweise') },
  fields: [
    { name: 'title', type: 'text', maxLength: 120, label: words('Title', 'Cím', 'Titel') },
    { name: 'text', type: 'textarea', required: true, maxLength: 1_000, label: words('Text', 'Szöveg', 'Text') },
  ],
}

/** Parts of Payload's editor that have nothing to show on the page of a post, or get other settings below. */
const REPLACED: ReadonlySet<string> = new Set(['relationship', 'upload', 'link'])

/**
 * The editor of posts: Payload's own parts, and code, notes and tables. Pictures come from the library, with their description. Links
 * have addresses: a link to a document of the CMS has none that readers could follow.
 */
export const postEditor = () =>
  lexicalEditor({
    features: ({ defaultFeatures }) => [
      ...defaultFeatures.filter(({ key }) => !REPLACED.has(key)),
      LinkFeature({ enabledCollections: [] }),
      UploadFeature({ enabledCollections: ['media'] }),
      BlocksFeature({ blocks: [CodeBlock, NoteBlock] }),
      EXPERIMENTAL_TableFeature(),
    ],
  })
