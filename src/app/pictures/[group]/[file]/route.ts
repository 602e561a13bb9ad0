import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { DRAWING_SIZES, DRAWINGS, type DrawingGroup } from '#contracts/pictures.ts'

// Drawn at build time: the site's server sends the finished bytes, and needs neither the sources nor the converter.
export const dynamic = 'force-static'
export const dynamicParams = false

type Parameters = { readonly group: string; readonly file: string }

/** Mails show drawings as PNG, because most of their readers have no SVG. Twice the size keeps them sharp. */
const AS_PNG: readonly DrawingGroup[] = ['banners', 'icons']
const PNG_SCALE = { banners: 1, icons: 2 } as const

export const generateStaticParams = (): Parameters[] =>
  (Object.keys(DRAWINGS) as DrawingGroup[]).flatMap((group) =>
    DRAWINGS[group].flatMap((name) => [
      { group, file: `${name}.svg` },
      ...(AS_PNG.includes(group) ? [{ group, file: `${name}.png` }] : []),
    ]),
  )

const pngOf = (svg: Buffer, group: 'banners' | 'icons'): Promise<Buffer> =>
  sharp(svg, { density: 72 * PNG_SCALE[group] * 2 })
    .resize(DRAWING_SIZES[group].width * PNG_SCALE[group])
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer()

/** A drawing of `src/pictures`. Other names never arrive here, because only these are built. */
export const GET = async (_request: Request, { params }: { params: Promise<Parameters> }): Promise<Response> => {
  const { group, file } = await params
  const [name = '', type = ''] = file.split('.')
  const svg = await readFile(join(process.cwd(), 'src/pictures', group, `${name}.svg`))
  const isPng = type === 'png' && (group === 'banners' || group === 'icons')
  const body = isPng ? await pngOf(svg, group) : svg
  return new Response(new Uint8Array(body), {
    headers: { 'content-type': isPng ? 'image/png' : 'image/svg+xml; charset=utf-8' },
  })
}
