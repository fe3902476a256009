import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = join(import.meta.dirname, '../apps/console/src')

interface Route {
  name: string
  path: string
}

const variable = (folder: string): string => folder.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A routes.tsx contains only data: Node reads it as TypeScript without JSX. */
const readTsxAsTs = () =>
  registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.tsx') ? { ...context, format: 'module-typescript' } : context),
  })

async function routesOf(domain: string): Promise<Route[]> {
  const module: unknown = await import(pathToFileURL(join(source, 'domains', domain, 'routes.tsx')).href)
  if (typeof module === 'object' && module !== null && 'routes' in module && Array.isArray(module.routes)) {
    return module.routes as Route[]
  }
  throw new Error(`domains/${domain}/routes.tsx exports no routes`)
}

/** Two files of the console: all routes, found by folder, and the paths of the routes by name. */
export async function routeFiles(): Promise<[path: string, text: string][]> {
  const hooks = readTsxAsTs()
  try {
    const folders = (await readdir(join(source, 'domains'), { withFileTypes: true })).filter((e) => e.isDirectory())
    const domains = folders
      .map((e) => e.name)
      .filter((name) => existsSync(join(source, 'domains', name, 'routes.tsx')))
      .sort()
    const found = (await Promise.all(domains.map(routesOf))).flat()
    const twice = found.filter(
      (route, at) => found.findIndex((r) => r.name === route.name || r.path === route.path) !== at,
    )
    if (twice.length > 0)
      throw new Error(`routes that stand twice: ${twice.map((r) => `${r.name} ${r.path}`).join(', ')}`)
    const note = '// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.\n'
    return [
      [
        join(source, 'routes.gen.ts'),
        `${note}import type { AppRoute } from './ui/route.ts'\n` +
          domains.map((d) => `import { routes as ${variable(d)} } from './domains/${d}/routes.tsx'\n`).join('') +
          `\nexport const routes: readonly AppRoute[] = [\n${domains.map((d) => `  ...${variable(d)},\n`).join('')}]\n`,
      ],
      [
        join(source, 'paths.gen.ts'),
        `${note}export const paths = {\n${found.map((r) => `  '${r.name}': '${r.path}',\n`).join('')}} as const\n`,
      ],
    ]
  } finally {
    hooks.deregister()
  }
}
