import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** One planted violation a rule: the file that breaks it, its import, and the imported file where that is ours. */
const planted: Record<string, { file: string; imports: string; target?: string }> = {
  'contract-is-pure': { file: 'packages/contract/src/a.ts', imports: 'node:fs' },
  'phrases-know-nothing': { file: 'packages/phrases/src/a.ts', imports: 'zod' },
  'domain-private': {
    file: 'apps/server/src/domains/teams/a.service.ts',
    imports: '../users/users/users.store.ts',
    target: 'apps/server/src/domains/users/users/users.store.ts',
  },
  'public-reads-are-leaves': {
    file: 'apps/server/src/domains/teams/public.read.ts',
    imports: './a.store.ts',
    target: 'apps/server/src/domains/teams/a.store.ts',
  },
  'clusters-are-below-stacks': {
    file: 'apps/server/src/domains/clusters/a.service.ts',
    imports: '../stacks/public.ts',
    target: 'apps/server/src/domains/stacks/public.ts',
  },
  'domain-knows-no-web': { file: 'apps/server/src/domains/teams/a.module.ts', imports: 'fastify' },
  'domain-uses-ports': {
    file: 'apps/server/src/domains/teams/b.service.ts',
    imports: '../../adapters/git.ts',
    target: 'apps/server/src/adapters/git.ts',
  },
  'store-is-bottom': {
    file: 'apps/server/src/domains/teams/c.store.ts',
    imports: './c.service.ts',
    target: 'apps/server/src/domains/teams/c.service.ts',
  },
  'service-knows-no-web': {
    file: 'apps/server/src/domains/teams/d.service.ts',
    imports: '../../http/d.ts',
    target: 'apps/server/src/http/d.ts',
  },
  'manifest-is-a-root': {
    file: 'apps/server/src/domains/teams/e.ts',
    imports: './roles/roles.module.ts',
    target: 'apps/server/src/domains/teams/roles/roles.module.ts',
  },
  'frame-knows-no-domain': {
    file: 'apps/server/src/http/a.ts',
    imports: '../domains/users/users/users.store.ts',
    target: 'apps/server/src/domains/users/users/users.store.ts',
  },
  'kernel-knows-no-web': {
    file: 'apps/server/src/kernel/a.ts',
    imports: '../http/b.ts',
    target: 'apps/server/src/http/b.ts',
  },
  'kernel-knows-no-identity': {
    file: 'apps/server/src/kernel/d.ts',
    imports: '../identity/e.ts',
    target: 'apps/server/src/identity/e.ts',
  },
  'sdk-only-in-adapters': { file: 'apps/server/src/kernel/c.ts', imports: '@kubernetes/client-node' },
  'kit-knows-no-domain': {
    file: 'apps/console/src/ui/a.tsx',
    imports: '../domains/teams/a.tsx',
    target: 'apps/console/src/domains/teams/a.tsx',
  },
  'agent-and-sandbox-alone': {
    file: 'apps/agent/src/a.ts',
    imports: '../../../packages/phrases/src/b.ts',
    target: 'packages/phrases/src/b.ts',
  },
  'purposes-for-server-and-agent': {
    file: 'apps/console/src/shell/b.ts',
    imports: '../../../../packages/oci/src/a.ts',
    target: 'packages/oci/src/a.ts',
  },
  'waiting-is-for-tests': {
    file: 'apps/server/src/kernel/e.ts',
    imports: '../../../../packages/waiting/src/a.ts',
    target: 'packages/waiting/src/a.ts',
  },
  'templates-know-the-contract': {
    file: 'packages/tosca/src/a.ts',
    imports: '../../phrases/src/c.ts',
    target: 'packages/phrases/src/c.ts',
  },
  'purposes-know-themselves': {
    file: 'packages/masking/src/a.ts',
    imports: '../../oci/src/a.ts',
    target: 'packages/oci/src/a.ts',
  },
  'agent-is-not-sandbox': {
    file: 'packages/sandbox/src/a.ts',
    imports: '../../../apps/agent/src/b.ts',
    target: 'apps/agent/src/b.ts',
  },
  'apps-are-apart': {
    file: 'apps/console/src/shell/a.ts',
    imports: '../../../server/src/http/b.ts',
    target: 'apps/server/src/http/b.ts',
  },
  'no-cycles': { file: 'apps/agent/src/c.ts', imports: './d.ts', target: 'apps/agent/src/d.ts' },
}

let folder = ''
let broken: string[] = []

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), text)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-imports-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await symlink(join(root, '.dependency-cruiser.cjs'), join(folder, '.dependency-cruiser.cjs'))
  await write('package.json', '{"type":"module"}')
  for (const { target } of Object.values(planted)) if (target) await write(target, 'export const x = 1\n')
  for (const { file, imports } of Object.values(planted)) {
    await write(file, `import * as found from '${imports}'\nexport const y = found\n`)
  }
  await write('apps/agent/src/d.ts', "import { y } from './c.ts'\nexport const x = y\n")
  const cruise = run(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      'packages',
      'apps',
      '--output-type',
      'json',
    ],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  )
  const output = await cruise.catch((error: { stdout: string }) => error)
  const report = JSON.parse(output.stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } }
  broken = report.summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('every rule has a planted violation', async () => {
  const config = (await import(join(root, '.dependency-cruiser.cjs'))) as { default: { forbidden: { name: string }[] } }
  expect(Object.keys(planted).sort()).toEqual(config.default.forbidden.map((rule) => rule.name).sort())
})

test.for(Object.entries(planted))('finds a violation of %s', ([rule, { file }]) => {
  expect(broken).toContain(`${rule} ${file}`)
})
