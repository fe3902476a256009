import type { Finder, Finding } from './finding.ts'
import { findNode } from './find-node.ts'
import { findDotnet, findGo, findGradle, findMaven, findPhp, findRust, findStatic } from './find-others.ts'
import { findPython } from './find-python.ts'
import { type Folder, foldersOf, type Tree } from './tree.ts'

/** One for each family of projects. Node.js comes last: in a project of another language it only builds the assets. */
const finders: readonly Finder[] = [
  findGo,
  (folder) => findMaven(folder) ?? findGradle(folder),
  findPython,
  findPhp,
  findRust,
  findDotnet,
  findNode,
]

/** Nobody chooses from more proposals. */
const most = 12

const isWithin = (folder: string, above: string): boolean =>
  above === '' || folder === above || folder.startsWith(`${above}/`)

const dockerfileIn = (folder: Folder): string | undefined => folder.named(/^(Dockerfile|Containerfile)$/)[0]

/**
 * How a repository can be built, the best match first: nearest to the root, and with a language before without. The
 * last one is always a plain script.
 */
export function detect(tree: Tree): Finding[] {
  const folders = foldersOf(tree)
  const wholes = finders.map((): string[] => [])
  const found: Finding[] = []
  for (const folder of folders) {
    // finders may search the whole tree, so stop before folders whose findings nobody would see
    if (found.length >= most - 1) break
    const dockerfile = dockerfileIn(folder)
    const before = found.length
    for (const [family, find] of finders.entries()) {
      if (wholes[family]?.some((above) => isWithin(folder.path, above))) continue
      const one = find(folder)
      if (!one) continue
      if (one.whole) wholes[family]?.push(folder.path)
      found.push({ ...one, folder: folder.path, dockerfile: found.length === before ? dockerfile : undefined })
    }
    // web pages within a project belong to the project
    const pages = found.some((one) => isWithin(folder.path, one.folder)) ? undefined : findStatic(folder)
    if (pages) found.push({ ...pages, folder: folder.path })
    if (dockerfile !== undefined)
      found.push({
        kind: 'dockerfile',
        folder: folder.path,
        because: [dockerfile],
        language: '',
        image: { path: /^$/, version: '' },
        tests: '',
        dockerfile,
      })
  }
  return [...found.slice(0, most - 1), plainOf(folders[0])]
}

/** The repository's own test script, or a placeholder to be filled in. */
function plainOf(root: Folder | undefined): Finding {
  const makes = /^test\s*:/m.test(root?.text('Makefile') ?? '')
  return {
    kind: 'plain',
    folder: '',
    because: makes ? ['Makefile'] : [],
    language: '',
    image: { path: /^$/, version: '' },
    ...(makes ? { test: 'make test', tests: 'make test' } : { build: 'ls -l', tests: '' }),
  }
}
