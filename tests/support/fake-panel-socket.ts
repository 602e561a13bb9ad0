import type { PanelSocket } from '../../agents/http/websocket.ts'

/**
 * The node's side of a per-server socket without a network: the sent messages, and a reader as slow as the test sets.
 */
export class FakePanelSocket implements PanelSocket {
  readonly sent: string[] = []
  closeCode: number | undefined
  buffered = 0
  isDropped = false
  answersPings = true
  onPing: () => void = () => {}
  isOpen = () => this.closeCode === undefined
  bufferedBytes = () => this.buffered
  send = (text: string): void => void this.sent.push(text)
  sendText = (text: Buffer, sent: () => void): void => {
    this.sent.push(text.toString())
    sent()
  }
  close = (code: number): void => {
    this.closeCode = code
  }
  ping = (): void => {
    if (this.answersPings) this.onPing()
  }
  drop = (): void => {
    this.isDropped = true
  }

  events(): { event: string; args?: unknown[] }[] {
    return this.sent.map((text) => JSON.parse(text) as { event: string; args?: unknown[] })
  }
}
