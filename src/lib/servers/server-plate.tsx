import type { Server } from '#contracts/http/server.ts'
import { plateText } from '../format/plate-text.ts'
import { Picture } from '../pictures/picture.tsx'
import { Plate } from '@/ui/signs/plate.tsx'

/** A server's plate on the banner of its service, in lists. The lamp tells its state; the picture never changes. */
export const ServerPlate = ({ server }: { server: Pick<Server, 'name' | 'identifier' | 'pictures'> }) => (
  <span className="server-plate">
    <Picture path={server.pictures.banner} width={112} height={45} />
    <Plate size="s">{plateText(server)}</Plate>
  </span>
)
