import type { CollectionConfig, DateFieldValidation, TextFieldSingleValidation } from 'payload'
import { POST_BOUNDS, POST_COVERS, POST_KINDS, POST_TAGS } from '#contracts/posts/posts.ts'
import { isAddressName } from '#domain/content/address-name.ts'
import { isReadTooEarly } from '#domain/content/posts.ts'
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

const missingName = words(
  'This title makes no URL name. Write one, such as choosing-memory.',
  'Ebből a címből nem lesz név az URL-ben. Írj be egyet, például: memoriavalasztas.',
  'Aus diesem Titel wird kein Name für die URL. Gib einen ein, zum Beispiel speicher-waehlen.',
)

const isPublished = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && '_status' in data && data._status === 'published'

/** A draft may have no name yet; PostgreSQL refuses a second post with a name in the same language. */
const fitsAddress: TextFieldSingleValidation = (value, { data, req }) => {
  if (!value) return isPublished(data) ? textIn(req.i18n.language, missingName) : true
  return isAddressName(value) || textIn(req.i18n.language, refusedName)
}

const tooEarly = words(
  'This date is in the future, but a published post is visible at once. Keep it as a draft until then, or use an earlier date.',
  'Ez a dátum a jövőben van, a közzétett bejegyzés viszont rögtön látható. Hagyd addig piszkozatban, vagy adj meg korábbi dátumot.',
  'Dieses Datum liegt in der Zukunft, ein veröffentlichter Beitrag ist aber sofort sichtbar. Lass ihn bis dahin als Entwurf, oder wähle ein früheres Datum.',
)

const fitsPublication: DateFieldValidation = (value, { data, req }) => {
  const date = value ? new Date(value) : null
  return isReadTooEarly({ date, isPublished: isPublished(data) }, Date.now())
    ? textIn(req.i18n.language, tooEarly)
    : true
}

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
    {
      ...momentField('publishedAt', words('Date', 'Dátum', 'Datum')),
      index: true,
      validate: fitsPublication,
      admin: {
        position: 'sidebar',
        description: words(
          'Empty: the moment at which you publish it. A published post can’t have a date in the future.',
          'Üresen a közzététel pillanata. Közzétett bejegyzésnek nem lehet jövőbeli dátuma.',
          'Leer: der Moment der Veröffentlichung. Ein veröffentlichter Beitrag kann kein Datum in der Zukunft haben.',
        ),
      },
    },
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
