import type { MessageLook } from '#message-text/draw-message.tsx'

const MONO = "'Atkinson Hyperlegible Mono', Consolas, Menlo, monospace"
const GROUND = '#f2f0ea'
const QUIET = '#5a5a66'
const RULE = '#dad8d2'
const block = { fontSize: '16px', lineHeight: '24px', margin: '0 0 8px', whiteSpace: 'pre-line' } as const

/** How a message of a ticket looks in a mail, whose program knows no style sheet of ours. */
export const LETTER_LOOK: MessageLook = {
  paragraph: { style: block },
  heading: { style: { ...block, fontWeight: 700 } },
  listItem: { style: { ...block, margin: '0 0 4px' } },
  list: { style: { margin: '0 0 8px', padding: '0 0 0 24px' } },
  blockquote: {
    style: { borderLeft: `2px solid ${RULE}`, color: QUIET, margin: '0 0 8px', padding: '0 0 0 12px' },
  },
  inlineCode: { style: { backgroundColor: GROUND, fontFamily: MONO, fontSize: '14px' } },
  code: {
    style: {
      backgroundColor: GROUND,
      fontFamily: MONO,
      fontSize: '13px',
      lineHeight: '20px',
      margin: '0 0 8px',
      padding: '12px',
      whiteSpace: 'pre-wrap',
      wordBreak: 'break-word',
    },
  },
  link: { style: { color: '#2f57d6', textDecoration: 'underline' } },
  place: { style: { color: QUIET } },
  thematicBreak: { style: { border: 0, borderTop: `1px solid ${RULE}`, margin: '8px 0' } },
}
