import { contentOf } from '../mail-content.ts'
import { serveMails } from './serve-mails.ts'

// The thread that reads mails: gateway and API answer meanwhile.
serveMails(contentOf)
