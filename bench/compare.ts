import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * `npm run bench:compare -- <another checkout> [rounds] [part]`: runs `npm run bench` there and here alternately, each
 * with its own code, and prints the figures that both have side by side. They alternate because the speed of a shared
 * machine changes; trust the ratio more than the figures. The other checkout needs its dependencies (`npm ci`).
 */
const [folder, rounds = '3', ...part] = process.argv.slice(2)
const here = resolve(import.meta.dirname, '..')
const olderCheckout = resolve(folder ?? '')
if (folder === undefined || !existsSync(join(olderCheckout, 'bench/run.ts')) || !/^[1-9]\d*$/.test(rounds)) {
  console.error('npm run bench:compare -- <another checkout that has a bench> [rounds] [part]')
  process.exit(1)
}

type Figures = Map<string, { values: number[]; unit: string }>
const figures: Record<'before' | 'after', Figures> = { before: new Map(), after: new Map() }

/** A line as `figures.ts` writes it: name, median with its unit, minimum, maximum. */
const row = /^(.+?) {2,}([\d.,]+) (\S+) {2,}[\d.,]+ \S+ {2,}[\d.,]+ \S+/

function run(side: keyof typeof figures, cwd: string): void {
  console.log(`${side}: ${cwd}`)
  const { stdout, status } = spawnSync('npm', ['run', '--silent', 'bench', '--', ...part], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (const line of stdout.split('\n')) {
    const [, name, median = '', unit = ''] = row.exec(line) ?? []
    if (name === undefined) continue
    const figure = figures[side].get(name) ?? { values: [], unit }
    figure.values.push(Number(median.replaceAll(',', '')))
    figures[side].set(name, figure)
  }
  if (status !== 0) {
    console.error(`the bench ended with ${status}`)
    process.exit(1)
  }
}

for (let round = 0; round < Number(rounds); round++) {
  run('before', olderCheckout)
  run('after', here)
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const cells = (name: string, ...others: string[]) =>
  console.log([name.padEnd(64), ...others.map((other) => other.padStart(12))].join('  '))
cells(`figure, median of ${rounds} rounds`, 'before', 'after', 'after/before')
for (const [name, { values, unit }] of figures.after) {
  const old = figures.before.get(name)
  const now = median(values)
  if (!old) cells(name, '—', `${now} ${unit}`)
  else cells(name, `${median(old.values)} ${unit}`, `${now} ${unit}`, (now / median(old.values)).toFixed(2))
}
