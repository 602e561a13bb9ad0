import type { CollectionConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { knownFile } from '../access/known-file.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { rewriteUpload } from '../hooks/rewrite-upload.ts'
import { mediaFolder } from '../start/paths.ts'
import { refuseOversized } from '../uploads/refuse-oversized.ts'
import { PICTURE_TYPES } from '../../identity/people/rewrite-picture.ts'

const refuse = refuseOversized(mediaFolder)

/** Public pictures. SVG is excluded on purpose: it can contain scripts that would run on the site's own origin. */
export const Media: CollectionConfig = {
  slug: 'media',
  labels: { singular: words('Picture', 'Kép', 'Bild'), plural: words('Pictures', 'Képek', 'Bilder') },
  admin: { group: groups.content },
  access: { create: administrator, read: knownFile, update: administrator, delete: administrator },
  hooks: { beforeOperation: [rewriteUpload] },
  upload: {
    staticDir: mediaFolder,
    mimeTypes: PICTURE_TYPES,
    pasteURL: false,
    disableLocalStorage: false,
    // Payload goes on where a handler has no response; its type does not say so.
    handlers: [(_request, { params }) => refuse(params.filename) as Promise<Response>],
    modifyResponseHeaders: ({ headers }) => {
      headers.set('X-Content-Type-Options', 'nosniff')
      headers.set('Content-Security-Policy', "default-src 'none'; sandbox")
      return headers
    },
  },
  fields: [
    {
      name: 'alt',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 200,
      label: words('Description for screen readers', 'Leírás képernyőolvasóknak', 'Beschreibung für Bildschirmleser'),
    },
  ],
}
