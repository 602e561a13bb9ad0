/** The content of a page for search engines. `<` is escaped so that no CMS text can end the script element. */
export const StructuredData = ({ data }: { data: object }) => (
  <script
    type="application/ld+json"
    dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
  />
)
