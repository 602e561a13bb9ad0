import { RichText } from '@payloadcms/richtext-lexical/react'
import type { Document } from './payload-types.ts'

type Body = NonNullable<Document['terms']['body']>

/** Rich text of the CMS as elements of the page, rendered on the server. */
export const RichTextView = ({ body, className }: { body: Body; className?: string }) => (
  <RichText data={body as Parameters<typeof RichText>[0]['data']} {...(className ? { className } : {})} />
)
