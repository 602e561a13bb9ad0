import type { CollectionConfig, TextFieldSingleValidation } from 'payload'
import { POST_BOUNDS, POST_COVERS, POST_KINDS, POST_TAGS } from '#contracts/posts/posts.ts'
import { isAddressName } from '#domain/content/address-name.ts'
import { administrator } from '../access/administrator.ts'
import { publishedPostOrAdministrator } from '../access/published-post-or-administrator.ts'
import { groups } from '../fields/labels.ts'
import { textIn, words } from '../fields/languages.ts'
import { momentField } from '../fields/moment-field.ts'
import { postEditor } from '../fields/post-editor.ts'
import { keepPublicationDate, nameFromTitle } from '../hooks/complete-post.ts'

const kindLabels = { blog: words('Blog', 'Blog', 'Blog'), change: words('Change', 'Változás', 'Änderung') } as const

const tagLabels = {
  minecraft: words('Minecraft', 'Minecraft', 'Minecraft'),
  'first-steps': words('First steps', 'Első lépések', 'Erste Schritte'),
  performance: words('Performance', 'Teljesítmény', 'Leistung'),
  worlds: words('Worlds', 'Világok', 'Welten'),
  plugins: words('Plugins', 'Pluginok', 'Plugins'),
  support: words('Support', 'Ügyfélszolgálat', 'Support'),
} as const

const coverLabels = {
  memory: words('Memory', 'Memória', 'Speicher'),
  moving: words('Moving', 'Költözés', 'Umzug'),
  trial: words('Test day', 'Próbanap', 'Testtag'),
  plugins: words('Plugins', 'Pluginok', 'Plugins'),
  ticket: words('Ticket', 'Hibajegy', 'Ticket'),
  lamps: words('Lamps', 'Lámpák', 'Lampen'),
} as const

const refusedName = words(
  'Use a-z, 0-9 and single hyphens, such as choosing-memory.',
  'Csak a-z, 0-9 és egy-egy kötőjel lehet benne, például memoriavalasztas.',
  'Nur a-z, 0-9 und einzelne Bindestriche, zum Beispiel speicher-waehlen.',
)

/** A draft may have no name yet; PostgreSQL refuses a second post with a name in the same language. */
const fitsAddress: TextFieldSingleValidation = (value, { req }) =>
  !value || isAddressName(value) || textIn(req.i18n.language, refusedName)

/**
 * Posts of the blog and the list of changes (decision 108). A post appears in the languages in which it has a title, a name and a text.
 * Its author is a public name that editors type: no account becomes public by it.
 */
export const Posts: CollectionConfig = {
  slug: 'posts',
  labels: { singular: words('Post', 'Bejegyzés', 'Beitrag'), plural: words('Posts', 'Bejegyzések', 'Beiträge') },
  admin: {
    useAsTitle: 'title',
    group: groups.content,
    defaultColumns: ['title', 'kind', '_status', 'publishedAt'],
    description: words(
      'A post appears in each language in which it is written, once it is published.',
      'A bejegyzés a közzététel után minden olyan nyelven megjelenik, amelyen meg van írva.',
      'Ein Beitrag erscheint nach der Veröffentlichung in jeder Sprache, in der er geschrieben ist.',
    ),
  },
  defaultSort: '-publishedAt',
  access: {
    create: administrator,
    read: publishedPostOrAdministrator,
    readVersions: administrator,
    update: administrator,
    delete: administrator,
  },
  versions: { drafts: true, maxPerDoc: 50 },
  hooks: { beforeChange: [keepPublicationDate] },
  fields: [
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: POST_BOUNDS.title,
      label: words('Title', 'Cím', 'Titel'),
    },
    {
      name: 'slug',
      type: 'text',
      localized: true,
      unique: true,
      index: true,
      maxLength: POST_BOUNDS.slug,
      label: words('URL name', 'Név az URL-ben', 'Name in der URL'),
      hooks: { beforeValidate: [nameFromTitle] },
      validate: fitsAddress,
      admin: {
        position: 'sidebar',
        description: words(
          'Empty: made from the title. Addresses that were published once lead to the new one.',
          'Üresen a címből készül. A már közzétett régi címek az újra vezetnek.',
          'Leer: aus dem Titel. Adressen, die einmal veröffentlicht waren, führen zur neuen.',
        ),
      },
    },
    {
      name: 'lead',
      type: 'textarea',
      required: true,
      localized: true,
      maxLength: POST_BOUNDS.lead,
      label: words('Lead', 'Bevezető', 'Vorspann'),
    },
    {
      name: 'body',
      type: 'richText',
      required: true,
      localized: true,
      label: words('Text', 'Szöveg', 'Text'),
      editor: postEditor(),
    },
    {
      name: 'meta',
      type: 'group',
      label: words('For search engines', 'Keresőknek', 'Für Suchmaschinen'),
      fields: [
        { name: 'title', type: 'text', localized: true, maxLength: 70, label: words('Title', 'Cím', 'Titel') },
        {
          name: 'description',
          type: 'textarea',
          localized: true,
          maxLength: 170,
          label: words('Description', 'Leírás', 'Beschreibung'),
        },
      ],
    },
    {
      name: 'kind',
      type: 'select',
      required: true,
      defaultValue: 'blog',
      index: true,
      label: words('Kind', 'Fajta', 'Art'),
      options: POST_KINDS.map((value) => ({ value, label: kindLabels[value] })),
      admin: { position: 'sidebar' },
    },
    {
      name: 'tags',
      type: 'select',
      hasMany: true,
      label: words('Tags', 'Címkék', 'Schlagwörter'),
      options: POST_TAGS.map((value) => ({ value, label: tagLabels[value] })),
      admin: { position: 'sidebar' },
    },
    {
      name: 'author',
      type: 'text',
      required: true,
      maxLength: POST_BOUNDS.author,
      label: words('Author’s public name', 'A szerző nyilvános neve', 'Öffentlicher Name der Autorin oder des Autors'),
      admin: { position: 'sidebar' },
    },
    { ...momentField('publishedAt', words('Date', 'Dátum', 'Datum')), index: true, admin: { position: 'sidebar' } },
    {
      name: 'drawing',
      type: 'select',
      label: words('Drawn cover', 'Rajzolt borító', 'Gezeichnetes Titelbild'),
      options: POST_COVERS.map((value) => ({ value, label: coverLabels[value] })),
      admin: { position: 'sidebar' },
    },
    {
      name: 'picture',
      type: 'upload',
      relationTo: 'media',
      label: words('Own cover', 'Saját borító', 'Eigenes Titelbild'),
      admin: {
        position: 'sidebar',
        description: words(
          'In place of the drawn cover.',
          'A rajzolt borító helyett.',
          'Anstelle des gezeichneten Titelbilds.',
        ),
      },
    },
  ],
}
