import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isGreen, runSuites, runToEnd, suiteLimitMs, summaryOf, type Tier } from './run.ts'
import { suites } from './suites.ts'

/**
 * The gate: `node scripts/gate/main.ts [full] [suite …]`. Runs the checks, starts the lab programs that suites need,
 * runs the suites, and closes with one line `N passed, N failed, N skipped`. With names it runs these suites alone, and
 * records no green commit.
 */
const words = process.argv.slice(2)
const tier: Tier = words.includes('full') ? 'full' : 'gate'
const namedSuites = words.filter((word) => word !== 'full')
const unknown = namedSuites.filter((word) => !suites.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const lab = process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../shared')
const hasLab = existsSync(lab)
const chosenSuites = suites.filter(
  (suite) => suite[tier] && (namedSuites.length === 0 || namedSuites.includes(suite.name)),
)
const runnableSuites = chosenSuites.filter(({ needsLab = false }) => hasLab || !needsLab)
for (const { name } of chosenSuites.filter((suite) => !runnableSuites.includes(suite)))
  console.log(`== ${name}: skipped, there is no lab`)

const runVerb = async (program: string, verb: 'up' | 'down', output?: number): Promise<boolean> =>
  (await runToEnd([join(lab, program), verb], { output })) === 0
// On a new machine the lab is built, which takes half an hour; later starts take seconds. Remains of an interrupted
// earlier run can prevent a start: they are removed and the start is tried once more.
const start = async (program: string, output?: number): Promise<boolean> =>
  !hasLab ||
  (await runVerb(program, 'up', output)) ||
  ((await runVerb(program, 'down', output)) && (await runVerb(program, 'up', output)))
const outcome = await runSuites(runnableSuites, tier, {
  ...(namedSuites.length === 0 && { check: async () => (await runToEnd(['npm', 'run', '--silent', 'check'])) === 0 }),
  start,
  run: (command, env, output) => runToEnd(command, { env, output, limitMs: suiteLimitMs[tier] }),
  say: console.log,
})
for (const line of summaryOf(outcome)) console.log(line)

if (!isGreen(outcome)) process.exitCode = 1
else if (namedSuites.length === 0) {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
  // with uncommitted changes, the tested code is not that of the commit
  if (git('status', '--porcelain') === '') {
    const home = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gantry')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'green'), `${git('rev-parse', 'HEAD')}\n`)
  }
}
