import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { postText } from '../../../../../src/cms/seed/content/rich-text.ts'
import { contentsOf, PostBody } from '../../../../../src/features/content/posts/post-body.tsx'

const words = { copy: 'Copy', copied: 'Copied', copyFailed: 'Failed', code: 'Code', note: 'Note', table: 'Table' }
const shown = (body: unknown) => renderToStaticMarkup(<PostBody body={body} pictures={[]} words={words} />)
const text = (word: string) => ({ type: 'text', text: word })
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children })

describe('the text of a post', () => {
  it('has anchors that are no ids of the page around it, each once', () => {
    const body = postText([{ heading: 'Menu' }, { text: 'a' }, { heading: 'Menu' }, { heading: 'Footer' }])
    expect(contentsOf(body).map(({ id }) => id)).toEqual(['part-menu', 'part-menu-2', 'part-footer'])
    expect(shown(body)).toContain('<h2 id="part-menu">Menu</h2>')
  })

  const odd: [string, unknown][] = [
    ['a node that is none', null],
    ['a node without a type', {}],
    ['a node of an unknown type', { type: 'magic', children: [text('hidden')] }],
    ['a text that is none', paragraph({ type: 'text', text: { a: 1 } })],
    ['a paragraph without children', { type: 'paragraph' }],
    ['children that are no list', { type: 'quote', children: 'x' }],
    ['a child that is null', paragraph(null)],
    ['a list with nothing in it', { type: 'list' }],
    ['a list with an odd entry', { type: 'list', tag: 'script', children: [{ type: 'listitem' }, 3] }],
    ['a checklist', { type: 'list', listType: 'check', children: [{ type: 'listitem' }] }],
    ['a link without fields', paragraph({ type: 'link', children: [text('linked')] })],
    ['a link without children', paragraph({ type: 'autolink', fields: { url: '/x' } })],
    ['a heading without children', { type: 'heading', tag: 'h3' }],
    ['a table without rows', { type: 'table' }],
    ['a table with an odd row', { type: 'table', children: [{ type: 'tablerow' }, { type: 'tablecell' }, null] }],
    ['an unknown block', { type: 'block', fields: { blockType: 'script' } }],
    ['a block without fields', { type: 'block' }],
    ['a picture without an id', { type: 'upload', value: { id: 3 } }],
    ['a document', { type: 'relationship', value: 'x' }],
  ]
  it.each(odd)('is shown with %s', (_name, node) => {
    const html = shown({ root: { children: [paragraph(text('before')), node, paragraph(text('after'))] } })
    expect(html).toContain('<p>before</p>')
    expect(html).toContain('<p>after</p>')
    expect(html).not.toMatch(/unknown|hidden|script/)
  })

  it('has a name for each table, which scrolls by keyboard', () => {
    expect(shown(postText([{ table: [['a', 'b']] }]))).toContain('tabindex="0" role="group" aria-label="Table"')
  })
})
