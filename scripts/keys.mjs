// `npm run keys`. An older Node cannot even read what follows, so it comes after the check.
import { refuseOtherPlatforms } from './platform.mjs'

refuseOtherPlatforms()
import('./change-keys.mjs')
