import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lang } from '../../kernel/context.ts'
import { root } from '../../root.ts'

/** The number of a release, also in `release-1.2.3` and `v1.2.3-4`. Other names of versions are kept. */
export const releaseOf = (version: string): string => /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => signs[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The list items under the heading whose id is the version, up to the next heading. */
export function notesIn(page: string, version: string): string[] {
  const [, ...sections] = page.split('<h2 id="')
  const section = sections.find((one) => one.startsWith(`${version}"`)) ?? ''
  return [...section.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => plain(item))
}

const pages = new Map<Lang, Promise<string>>()

/** The page of the manual; cached, because it does not change while a server runs. */
const pageOf = (lang: Lang): Promise<string> => {
  const page = pages.get(lang) ?? readFile(join(root, 'docs/manual', lang, 'changes.html'), 'utf8').catch(() => '')
  pages.set(lang, page)
  return page
}

export const notesOf = async (lang: Lang, version: string): Promise<string[]> => notesIn(await pageOf(lang), version)
