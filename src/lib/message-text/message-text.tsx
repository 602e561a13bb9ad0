import { useMemo } from 'react'
import { drawMessage, type MessageLook } from '#message-text/draw-message.tsx'
import './message-text.css'

const LOOK: MessageLook = {
  heading: { className: 'msg-heading' },
  link: { className: 'link' },
  place: { className: 'msg-place' },
  // A long line scrolls, by the keyboard too.
  code: { className: 'msg-code', tabIndex: 0, role: 'group' },
}

/** A message of a ticket on a page, drawn once for each text. */
export const MessageText = ({ text }: { text: string }) => {
  const drawn = useMemo(() => drawMessage(text, LOOK), [text])
  return <div className="msg-text">{drawn}</div>
}
