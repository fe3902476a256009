import { launch } from './launch.ts'
import { bundles, mains } from './parts.ts'

/** `--bundled`, which start.mjs adds: the server runs from its bundle, otherwise from its sources. */
await launch({ mains: process.argv.includes('--bundled') ? bundles : mains })
