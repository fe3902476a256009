import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import subset from 'subset-font'

/** Files that the server sends compressed; smaller ones are not worth it. */
const compressible = new Set(['.js', '.css', '.svg'])
const smallest = 1024

/** Writes a `.br` and a `.gz` beside each file at build time, because the best compression takes seconds. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const content = await readFile(path)
        if (content.length < smallest) return
        await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
      }),
  )
}

/** The page with its icon inlined. */
export async function withIcon(page: string): Promise<string> {
  const icon = await readFile(join(import.meta.dirname, 'public/favicon.svg'), 'utf8')
  return page.replace('href="/favicon.svg"', `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
}

const between = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)).join('')
const signs = '–—‘’“”•…‹›←↑→↓−×·€™≤≥≈'
/** Texts need Latin for the names of people; code is mostly ASCII, and other characters fall back to a system font. */
const fonts = { inter: between(0x20, 0x100) + signs, 'jetbrains-mono': between(0x20, 0x7f) + signs }
/** The weights that the style sheets use. */
const weights = { min: 400, max: 700 }

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/gantry/fonts')

/** The subset of each font that the console uses, by the name of the full file. */
export async function subsetFonts(): Promise<Record<string, string>> {
  await mkdir(cache, { recursive: true })
  const made = Object.entries(fonts).map(async ([font, letters]): Promise<[string, string]> => {
    const name = `@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`
    const whole = await readFile(fileURLToPath(import.meta.resolve(name)))
    const path = join(cache, basename(name))
    await writeFile(path, await subset(whole, letters, { targetFormat: 'woff2', variationAxes: { wght: weights } }))
    return [name, path]
  })
  return Object.fromEntries(await Promise.all(made))
}
