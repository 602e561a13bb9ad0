import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DRAWINGS, type DrawingGroup } from '#contracts/pictures.ts'

// Read at build time: production sends the finished bytes and has no sources.
export const dynamic = 'force-static'
export const dynamicParams = false

type Parameters = { readonly group: string; readonly file: string }

export const generateStaticParams = (): Parameters[] =>
  (Object.keys(DRAWINGS) as DrawingGroup[]).flatMap((group) =>
    DRAWINGS[group].map((name) => ({ group, file: `${name}.svg` })),
  )

/** A drawing of `src/pictures`. No other name arrives here, because only these are built. */
export const GET = async (_request: Request, { params }: { params: Promise<Parameters> }): Promise<Response> => {
  const { group, file } = await params
  const svg = await readFile(join(process.cwd(), 'src/pictures', group, file))
  return new Response(new Uint8Array(svg), { headers: { 'content-type': 'image/svg+xml; charset=utf-8' } })
}
