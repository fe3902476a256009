import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The repository's folder: this file and the bundle (dist/main.mjs) are equally deep in it. */
export const root = join(import.meta.dirname, '../../..')

/** The URL of one of the server's sources. Threads run from the sources, beside a bundled server too. */
export const sourceUrl = (file: string): URL => pathToFileURL(join(root, 'apps/server/src', file))
