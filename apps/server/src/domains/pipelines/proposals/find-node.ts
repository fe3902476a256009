import type { ProposalKind } from '@gantry/contract/pipelines/editing/proposals'
import { z } from 'zod'
import { type Finder, reportFile, reportFolder, versionIn } from './finding.ts'
import type { Folder } from './tree.ts'

const texts = z.record(z.string(), z.string()).catch({})
const Package = z.object({
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  engines: texts,
  packageManager: z.string().catch(''),
  workspaces: z.unknown().optional(),
})
type Package = z.infer<typeof Package>

function packageOf(folder: Folder): Package {
  try {
    return Package.parse(JSON.parse(folder.text('package.json')))
  } catch {
    return Package.parse({})
  }
}

type Tool = Extract<ProposalKind, 'npm' | 'pnpm' | 'yarn'>

interface Manager {
  tool: Tool
  lock: string | undefined
  /** The command of the package manager; works in any image with Node.js. */
  command: string
  install: string
  /** Goes between the name of a script and its arguments. */
  separator: string
}

function managerOf(folder: Folder, { packageManager }: Package): Manager {
  const [, named, version] = /^(npm|pnpm|yarn)@(\d+\.\d+\.\d+)/.exec(packageManager) ?? []
  const lock = ['pnpm-lock.yaml', 'yarn.lock', 'package-lock.json', 'npm-shrinkwrap.json'].find(folder.has)
  const tool = named ?? (lock === 'pnpm-lock.yaml' ? 'pnpm' : lock === 'yarn.lock' ? 'yarn' : 'npm')
  if (tool === 'pnpm') {
    const command = `npx --yes pnpm${version === undefined ? '' : `@${version}`}`
    return {
      tool,
      lock,
      command,
      install: `${command} install${lock === 'pnpm-lock.yaml' ? ' --frozen-lockfile' : ''}`,
      separator: '',
    }
  }
  if (tool === 'yarn') {
    const isModern = folder.has('.yarnrc.yml') || (version !== undefined && !version.startsWith('1.'))
    const command =
      isModern && version !== undefined ? `npx --yes -p @yarnpkg/cli-dist@${version} yarn` : 'npx --yes yarn@1'
    const frozen = isModern ? ' --immutable' : ' --frozen-lockfile'
    return { tool, lock, command, install: `${command} install${lock === 'yarn.lock' ? frozen : ''}`, separator: '' }
  }
  const isLocked = folder.has('package-lock.json') || folder.has('npm-shrinkwrap.json')
  return { tool: 'npm', lock, command: 'npm', install: isLocked ? 'npm ci' : 'npm install', separator: ' --' }
}

interface Tested {
  /** Goes before the command: environment variables. */
  before?: string
  /** Goes after the command: arguments of the test runner. */
  after?: string
  reports?: string
  coverage?: string
}

/** How a test runner writes a report; only if the script runs nothing else, so that arguments reach the runner. */
function reporting(script: string, { dependencies, devDependencies }: Package): Tested {
  const known = { ...dependencies, ...devDependencies }
  if (/[;&|]/.test(script)) return {}
  if (/^node\s(.*\s)?--test\b/.test(script)) {
    const reporters = [
      '--test-reporter=spec --test-reporter-destination=stdout',
      `--test-reporter=junit --test-reporter-destination=${reportFile}`,
    ]
    return { before: `NODE_OPTIONS='${reporters.join(' ')}' `, reports: reportFile }
  }
  if (/^vitest\b/.test(script)) {
    const covered = known['@vitest/coverage-v8'] !== undefined || known['@vitest/coverage-istanbul'] !== undefined
    return {
      after: `--reporter=default --reporter=junit --outputFile.junit=${reportFile}${covered ? ' --coverage.enabled --coverage.reporter=lcov' : ''}`,
      reports: reportFile,
      ...(covered && { coverage: 'coverage/lcov.info' }),
    }
  }
  if (/^(jest|react-scripts test)\b/.test(script)) {
    const reports = known['jest-junit'] !== undefined
    return {
      ...(reports && { before: `JEST_JUNIT_OUTPUT_DIR=${reportFolder} `, reports: `${reportFolder}/*.xml` }),
      after: `${reports ? '--reporters=default --reporters=jest-junit ' : ''}--coverage --coverageReporters=lcov`,
      coverage: 'coverage/lcov.info',
    }
  }
  if (/^mocha\b/.test(script))
    return { after: `--reporter xunit --reporter-option output=${reportFile}`, reports: reportFile }
  return {}
}

/** The output folder of a well-known tool. */
function builtBy({ scripts, dependencies, devDependencies }: Package): string | undefined {
  const known = { ...dependencies, ...devDependencies }
  if (known['next'] !== undefined) return undefined
  if (known['react-scripts'] !== undefined) return 'build'
  return /\bvite build\b/.test(scripts['build'] ?? '') ? 'dist' : undefined
}

/** Whether a test script is the placeholder of `npm init`. */
const isNoTest = (script: string): boolean => script === '' || script.includes('no test specified')

export const findNode: Finder = (folder) => {
  if (!folder.has('package.json')) return undefined
  const given = packageOf(folder)
  const manager = managerOf(folder, given)
  const { tool, command, separator } = manager
  const script = given.scripts['test'] ?? ''
  const hasBuild = given.scripts['build'] !== undefined
  const { before = '', after, reports, coverage } = isNoTest(script) ? {} : reporting(script.trim(), given)
  const isWhole = given.workspaces !== undefined || folder.has('pnpm-workspace.yaml') || folder.has('lerna.json')
  const artifacts = hasBuild ? builtBy(given) : undefined
  const run = tool === 'npm' ? 'npm test' : `${command} test`
  return {
    kind: tool,
    because: ['package.json', manager.lock].filter((name) => name !== undefined),
    language: folder.has('tsconfig.json') ? 'TypeScript' : 'JavaScript',
    image: { path: /node/, version: versionIn(folder.text('.nvmrc') || (given.engines['node'] ?? '')) },
    install: manager.install,
    ...(isNoTest(script)
      ? { tests: '' }
      : {
          test: `${reports === undefined ? '' : `mkdir -p ${reportFolder}\n`}CI=true ${before}${run}${after === undefined ? '' : `${separator} ${after}`}`,
          tests: `${tool} test`,
        }),
    build: hasBuild ? `${command} run build` : undefined,
    reports,
    coverage,
    artifacts,
    whole: isWhole,
  }
}
