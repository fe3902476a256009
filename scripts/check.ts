import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

/** All checks of `npm run check`, two at a time. A failing check prints its output; the others only their time. */
const root = resolve(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const rules = [
  'scripts/',
  'apps/server/src/module.test.ts',
  'apps/server/src/http/edits.test.ts',
  'apps/server/src/http/push/followed.test.ts',
  'apps/server/src/http/push/topics.test.ts',
  'apps/server/src/kernel/outside.test.ts',
]

/**
 * Lint reports errors of types too, because it infers them all anyway. It uses one checker: several of them infer most
 * types again for themselves, which on two cores takes three times the work.
 */
const checks: { name: string; command: string[]; env?: Record<string, string> }[] = [
  {
    name: 'types and lint',
    command: [bin('oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
    env: { GOMAXPROCS: '1' },
  },
  { name: 'imports', command: [bin('depcruise'), 'packages', 'apps', 'e2e', 'bench'] },
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'unused', command: [bin('knip')] },
  // rules that only a program can check, each with a planted fault
  { name: 'rules', command: [bin('vitest'), 'run', '--project=node', '--exclude=scripts/gate/**', ...rules] },
  { name: 'generated', command: [process.execPath, 'scripts/gen.ts', '--check'] },
]

async function run({ name, command: [file = '', ...args], env }: (typeof checks)[number]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(file, args, { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } })
  let said = ''
  child.stdout.on('data', (bytes) => (said += String(bytes)))
  child.stderr.on('data', (bytes) => (said += String(bytes)))
  const code = await new Promise((ended) => child.on('close', ended))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(said.slice(-20_000))
  return code === 0
}

const waiting = checks.slice()
let failed = 0
async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) if (!(await run(check))) failed++
}
await Promise.all([work(), work()])
process.exitCode = failed > 0 ? 1 : 0
