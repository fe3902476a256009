import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Reads every source file of the given folders into Node's compile cache without running any: all modules of a graph are
 * compiled before the first one runs, and the first one here ends the process.
 */
const root = join(import.meta.dirname, '../../..')

const sources = process.argv.slice(2).flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$|(^|[/\\])(node_modules|test)[/\\]/.test(file))
    .map((file) => join(root, folder, file)),
)

const ending = 'data:text/javascript,process.exit(0)'
const graph = [ending, ...sources.map((file) => pathToFileURL(file).href)].map((url) => `import '${url}'`).join('\n')
await import(`data:text/javascript,${encodeURIComponent(graph)}`)
