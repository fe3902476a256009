import { usualTermination } from '@gantry/contract/stacks/usual'
import { memoryText, resourcesFrom } from './amounts.ts'
import { type Cell, reportUnread, whole } from './cells.ts'
import { filled, portText, secondsOf, volumeText, wordsOf } from './compose-words.ts'
import { withoutUndefined } from './containers.ts'
import { type Draft, type Fields, fieldsOf, jsonOf, openDraft } from './fields.ts'
import type { Reporter } from './telling.ts'

/** Parts of the file outside the services, which services refer to. */
interface File {
  volumes: Map<string, { at: number; external: string | undefined; holder: string | undefined }>
  configs: Map<string, Kept>
  secrets: Map<string, Kept>
}

interface Kept {
  at: number
  content: string | undefined
  used: boolean
}

/** Size of a volume for which the file gives none. */
const usualSize = '1Gi'

/** Replaces variables by their defaults in all texts of the file. */
function fillAll(cell: Cell, tell: Reporter): void {
  if (cell.is === 'list') for (const one of cell.items) fillAll(one, tell)
  else if (cell.is === 'map') for (const { cell: one } of cell.entries.values()) fillAll(one, tell)
  else if (typeof cell.value === 'string' && cell.value.includes('$')) {
    const { text, missing } = filled(cell.value)
    cell.value = text
    for (const name of missing) tell.wrong(cell.at, 'imports-variable', { name: name.slice(0, 60) })
  }
}

/** A list of words, or one text that is split into words. */
function commandAt(service: Fields, key: string): string[] {
  const cell = service.cell(key)
  if (!cell) return []
  if (cell.is === 'scalar') return wordsOf(String(cell.value))
  return service.words(key) ?? []
}

/** Pairs that Compose allows as a map or as a list of `KEY=value`. */
function pairsAt(
  service: Fields,
  key: string,
  tell: Reporter,
): { name: string; value: string | undefined; at: number }[] {
  const cell = service.cell(key)
  if (cell?.is === 'list')
    return (service.words(key) ?? []).map((text, index) => {
      const end = text.indexOf('=')
      const at = cell.items[index]?.at ?? cell.at
      return end < 0
        ? { name: text, value: undefined, at }
        : { name: text.slice(0, end), value: text.slice(end + 1), at }
    })
  const map = cell && fieldsOf(cell, tell, key)
  return (map?.keys() ?? []).map((name) => ({ name, value: map?.text(name), at: map?.place(name) ?? 0 }))
}

function putEnvironment(draft: Draft, service: Fields, tell: Reporter): void {
  for (const { name, value, at } of pairsAt(service, 'environment', tell)) {
    if (value === undefined) tell.note(at, 'imports-variable-empty', { name: name.slice(0, 60) })
    draft.push('environment', { name, value: value ?? '' }, at)
  }
  if (service.has('env_file')) {
    service.pass('env_file')
    tell.wrong(service.place('env_file'), 'imports-env-file', { name: draft.name })
  }
}

function putPorts(draft: Draft, service: Fields, tell: Reporter): void {
  const known = new Set<string>()
  const add = (port: number, protocol: string, at: number) => {
    if (protocol === 'SCTP') return tell.note(at, 'imports-protocol', { protocol })
    if (!known.has(`${port}/${protocol}`)) draft.push('ports', { port, protocol }, at)
    known.add(`${port}/${protocol}`)
    return undefined
  }
  const short = (cell: Cell) => {
    const text = cell.is === 'scalar' ? String(cell.value) : ''
    const found = portText(text)
    if (!found) return tell.wrong(cell.at, 'imports-ports', { text: text.slice(0, 60) })
    for (let port = found.from; port <= found.to; port += 1) add(port, found.protocol, cell.at)
    return undefined
  }
  let published = 0
  for (const cell of service.list('ports')) {
    published ||= cell.at
    const long = cell.is === 'map' ? fieldsOf(cell, tell) : undefined
    if (!long) {
      short(cell)
      continue
    }
    long.pass('published', 'host_ip', 'mode', 'name')
    const target = long.figure('target')
    if (target === undefined) tell.wrong(cell.at, 'imports-ports', { text: '' })
    else add(target, (long.text('protocol') ?? 'tcp').toUpperCase(), cell.at)
  }
  if (published > 0) tell.note(service.place('ports'), 'imports-published', { name: draft.name })
  for (const cell of service.list('expose')) short(cell)
}

interface Mounted {
  type: string
  source: string | undefined
  target: string
  readOnly: boolean
  size?: string | undefined
}

function mountIn(cell: Cell, tell: Reporter): Mounted | undefined {
  if (cell.is === 'scalar') {
    const { source, ...rest } = volumeText(String(cell.value))
    const isPath = source !== undefined && /^[./~]|^[A-Za-z]:[\\/]/.test(source)
    return { type: isPath ? 'bind' : 'volume', source, ...rest }
  }
  const row = fieldsOf(cell, tell, 'volumes')
  if (!row) return undefined
  const size = row.fields('tmpfs')?.text('size')
  return {
    type: row.text('type') ?? 'volume',
    source: row.text('source'),
    target: row.text('target') ?? '',
    readOnly: row.truth('read_only') ?? false,
    size: size === undefined ? undefined : memoryText(size),
  }
}

/** Turns a name into one that a document allows for a volume. */
const partName = (name: string): string => {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return plain === '' || plain.startsWith('gantry-') ? `volume-${plain}`.replace(/-$/, '') : plain
}

function putVolumes(draft: Draft, service: Fields, { volumes }: File, tell: Reporter): void {
  const names = new Set<string>()
  const free = (wanted: string): string => {
    let name = partName(wanted)
    for (let n = 2; names.has(name); n += 1) name = `${partName(wanted).slice(0, 36)}-${n}`
    names.add(name)
    return name
  }
  const trimmed = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path)
  const empty = (target: string, at: number, more: object) =>
    draft.push('volumes', { name: free(target), path: trimmed(target), type: 'empty', ...more }, at)
  for (const cell of service.list('volumes')) {
    const mount = mountIn(cell, tell)
    if (!mount) continue
    const { type, source, target, readOnly, size } = mount
    const { at } = cell
    if (type === 'tmpfs') empty(target, at, { memory: true, ...(size === undefined ? {} : { size }) })
    else if (type !== 'volume') tell.note(at, 'imports-host-path', { name: (source ?? target).slice(0, 60) })
    else if (source === undefined) empty(target, at, {})
    else {
      const known = volumes.get(source)
      const name = free(source)
      const common = { name, path: trimmed(target), ...(readOnly ? { readOnly } : {}) }
      if (!known) tell.wrong(at, 'imports-volume-undeclared', { name: source.slice(0, 60) })
      else if (known.external !== undefined)
        draft.push('volumes', { ...common, type: 'existing', claim: known.external }, at)
      else if (known.holder !== undefined && known.holder !== `${draft.name}.${name}`) {
        tell.note(at, 'imports-volume-shared', { name: source.slice(0, 60), service: known.holder.split('.')[0] ?? '' })
        draft.push('volumes', { ...common, type: 'existing', claim: known.holder }, at)
      } else {
        known.holder = `${draft.name}.${name}`
        tell.note(at, 'imports-volume-size', { name: source.slice(0, 60), size: usualSize })
        draft.push('volumes', { ...common, type: 'claim', size: usualSize }, at)
      }
    }
  }
  const tmpfs = service.cell('tmpfs')
  const paths = tmpfs?.is === 'scalar' ? [String(tmpfs.value)] : (service.words('tmpfs') ?? [])
  for (const text of paths) empty(text.split(':')[0] ?? '', service.place('tmpfs'), { memory: true })
}

/** Inline configs and secrets become files. Of those kept in files of the host, secrets become empty files. */
function putFiles(draft: Draft, service: Fields, { configs, secrets }: File, tell: Reporter): void {
  for (const [key, of, secret] of [
    ['configs', configs, false],
    ['secrets', secrets, true],
  ] as const)
    for (const cell of service.list(key)) {
      const row = cell.is === 'map' ? fieldsOf(cell, tell, key) : undefined
      const source = row ? (row.text('source') ?? '') : String(jsonOf(cell))
      const target = row?.text('target') ?? (secret ? `/run/secrets/${source}` : `/${source}`)
      const kept = of.get(source)
      if (!kept) {
        tell.wrong(cell.at, 'imports-file-undeclared', { name: source.slice(0, 60) })
        continue
      }
      kept.used = true
      if (kept.content === undefined && !secret) continue
      if (kept.content === undefined) tell.note(cell.at, 'imports-secret-empty', { name: source.slice(0, 60) })
      const path = target.startsWith('/') ? target : `/run/secrets/${target}`
      draft.push('files', { path, content: kept.content ?? '', secret }, cell.at)
    }
}

function putHealth(draft: Draft, service: Fields, tell: Reporter): void {
  const check = service.fields('healthcheck')
  if (!check) return
  const at = service.place('healthcheck')
  const test = check.cell('test')
  const words = test?.is === 'list' ? (check.words('test') ?? []) : test ? ['CMD-SHELL', String(jsonOf(test))] : []
  const [kind, ...rest] = words
  if (check.truth('disable') === true || kind === 'NONE') return
  if (kind === undefined) return tell.note(at, 'imports-health')
  const seconds = (key: string, least: number) => {
    const text = check.text(key)
    if (text === undefined) return undefined
    const found = secondsOf(text)
    if (found === undefined) tell.wrong(check.place(key), 'imports-duration', { text: text.slice(0, 60) })
    return found === undefined ? undefined : Math.max(least, found)
  }
  const command = kind === 'CMD' ? rest : kind === 'CMD-SHELL' ? ['/bin/sh', '-c', rest.join(' ')] : words
  const probe = {
    type: 'command',
    command,
    // Docker's own defaults
    periodSeconds: seconds('interval', 1) ?? 30,
    timeoutSeconds: seconds('timeout', 1) ?? 30,
    failures: check.figure('retries') ?? 3,
    delaySeconds: seconds('start_period', 0),
  }
  draft.put('readiness', withoutUndefined(probe), at)
  return undefined
}

function putDeploy(draft: Draft, service: Fields, tell: Reporter): void {
  const deploy = service.fields('deploy')
  const mode = deploy?.text('mode') ?? 'replicated'
  const replicas = deploy?.figure('replicas') ?? service.figure('scale')
  service.pass('scale')
  if (mode === 'global') draft.put('workload', 'daemonset', deploy?.place('mode') ?? draft.at)
  else if (mode.endsWith('-job')) draft.put('workload', 'job', deploy?.place('mode') ?? draft.at)
  if (mode === 'replicated') draft.put('replicas', replicas, deploy?.place('replicas') ?? draft.at)
  const resources = deploy?.fields('resources')
  const amounts = (of: Fields | undefined) => {
    const memory = of?.text('memory')
    return { cpu: of?.text('cpus'), memory: memory === undefined ? undefined : memoryText(memory) }
  }
  const [limits, requests] = [amounts(resources?.fields('limits')), amounts(resources?.fields('reservations'))]
  const memory = (key: string) => {
    const text = service.text(key)
    return text === undefined ? undefined : memoryText(text)
  }
  const wanted = {
    limits: { cpu: limits.cpu ?? service.text('cpus'), memory: limits.memory ?? memory('mem_limit') },
    requests: { cpu: requests.cpu, memory: requests.memory ?? memory('mem_reservation') },
  }
  service.pass('cpus', 'mem_limit', 'mem_reservation')
  const at = service.has('deploy') ? service.place('deploy') : draft.at
  draft.put(
    'resources',
    resourcesFrom(wanted, (key, vars) => tell.note(at, key, vars)),
    at,
  )
}

function putAccount(draft: Draft, service: Fields, tell: Reporter): void {
  const account = service.text('user')
  const [, user, group] = /^(\d+)(?::(\d+))?$/.exec(account ?? '') ?? []
  if (account !== undefined && user === undefined)
    tell.note(service.place('user'), 'imports-user', { user: account.slice(0, 60) })
  const drop = service.words('cap_drop')
  const security = withoutUndefined({
    user: user === undefined ? undefined : Number(user),
    group: group === undefined ? undefined : Number(group),
    readOnlyRoot: service.truth('read_only'),
    drop: drop && drop.length > 0 ? drop : undefined,
  })
  if (Object.keys(security).length > 0) draft.put('security', security, service.place('user'))
}

function putRequired(draft: Draft, service: Fields, tell: Reporter): void {
  const cell = service.cell('depends_on')
  if (cell?.is === 'list')
    for (const [index, name] of (service.words('depends_on') ?? []).entries())
      draft.requires.push({ name, at: cell.items[index]?.at ?? cell.at })
  const map = cell?.is === 'map' ? fieldsOf(cell, tell) : undefined
  for (const name of map?.keys() ?? []) {
    const row = map?.fields(name)
    row?.usual('required', true)
    row?.usual('restart', false, true)
    row?.usual('condition', 'service_started', 'service_healthy', 'service_completed_successfully')
    draft.requires.push({ name, at: map?.place(name) ?? 0 })
  }
}

/** A text or a list of texts. */
const someWords = (service: Fields, key: string): string[] => {
  const cell = service.cell(key)
  return cell?.is === 'scalar' ? [String(cell.value)] : (service.words(key) ?? [])
}

function putService(draft: Draft, service: Fields, file: File, tell: Reporter): void {
  if (service.has('build')) {
    service.pass('build')
    if (service.has('image')) tell.note(service.place('build'), 'imports-build-left')
    else tell.wrong(service.place('build'), 'imports-build', { name: draft.name })
  }
  if (service.has('extends')) {
    service.pass('extends')
    tell.wrong(service.at, 'imports-extends', { name: draft.name })
  }
  draft.put('image', service.text('image') ?? (service.has('build') ? 'scratch' : ''), service.place('image'))
  draft.put('command', commandAt(service, 'entrypoint'), service.place('entrypoint'))
  draft.put('arguments', commandAt(service, 'command'), service.place('command'))
  draft.put('workingDirectory', service.text('working_dir'), service.place('working_dir'))
  putEnvironment(draft, service, tell)
  putPorts(draft, service, tell)
  putVolumes(draft, service, file, tell)
  putFiles(draft, service, file, tell)
  putHealth(draft, service, tell)
  putDeploy(draft, service, tell)
  putAccount(draft, service, tell)
  putRequired(draft, service, tell)
  const grace = service.text('stop_grace_period')
  const seconds = grace === undefined ? undefined : secondsOf(grace)
  if (seconds !== undefined && seconds !== usualTermination)
    draft.put('terminationSeconds', Math.max(1, seconds), service.place('stop_grace_period'))
  const dns = { servers: someWords(service, 'dns'), searches: someWords(service, 'dns_search') }
  if (dns.servers.length + dns.searches.length > 0) draft.put('dns', dns, service.place('dns'))
  for (const { name: key, value, at } of pairsAt(service, 'annotations', tell))
    draft.push('annotations', { key, value: value ?? '' }, at)
  // containers are always restarted here
  service.usual('restart', 'always', 'unless-stopped', 'on-failure')
  service.usual('privileged', false)
  service.usual('init', true, false)
  service.usual('tty', false)
  service.usual('stdin_open', false)
  service.pass('pull_policy')
  service.leave('networks', 'imports-networks')
  service.leave('container_name', 'imports-named', { name: draft.name })
  service.leave('hostname', 'imports-named', { name: draft.name })
}

function keptAt(file: Fields, key: 'configs' | 'secrets', tell: Reporter): Map<string, Kept> {
  const kept = new Map<string, Kept>()
  const all = file.fields(key)
  for (const name of all?.keys() ?? []) {
    const row = all?.fields(name)
    const at = all?.place(name) ?? 0
    const content = row?.text('content')
    row?.pass('name')
    if (content === undefined && key === 'configs') tell.note(at, 'imports-of-file', { name: name.slice(0, 60) })
    row?.pass('file', 'environment', 'external')
    kept.set(name, { at, content, used: false })
  }
  return kept
}

function fileOf(root: Fields, tell: Reporter): File {
  const volumes: File['volumes'] = new Map()
  const all = root.fields('volumes')
  for (const name of all?.keys() ?? []) {
    const row = all?.fields(name)
    const external = row?.truth('external') === true ? (row.text('name') ?? name) : undefined
    row?.pass('name')
    volumes.set(name, { at: all?.place(name) ?? 0, external, holder: undefined })
  }
  return { volumes, configs: keptAt(root, 'configs', tell), secrets: keptAt(root, 'secrets', tell) }
}

/** Converts a Compose file to services. */
export function readCompose(cell: Cell, tell: Reporter): Draft[] {
  fillAll(cell, tell)
  const root = fieldsOf(cell, tell)
  if (!root) return []
  root.pass('version', 'name', ...root.keys().filter((key) => key.startsWith('x-')))
  root.leave('networks', 'imports-networks')
  if (root.has('include')) {
    root.pass('include')
    tell.wrong(root.place('include'), 'imports-include')
  }
  const file = fileOf(root, tell)
  const services = root.fields('services')
  const drafts = (services?.keys() ?? []).flatMap((name) => {
    const reporter = tell.of(name)
    const cell = services?.cell(name)
    const service = cell && fieldsOf(cell, reporter, name)
    const draft = openDraft(name, services?.place(name) ?? root.at)
    if (!service) {
      if (!cell) reporter.wrong(draft.at, 'imports-expected-map', { field: name.slice(0, 60) })
      return []
    }
    for (const key of service.keys()) if (key.startsWith('x-')) service.pass(key)
    putService(draft, service, file, reporter)
    reportUnread(cell, reporter, ['services', name])
    whole(cell)
    return [draft]
  })
  for (const [kind, of] of [
    ['config', file.configs],
    ['secret', file.secrets],
  ] as const)
    for (const [name, { at, used }] of of)
      if (!used) tell.note(at, 'imports-unused', { kind, name: name.slice(0, 100) })
  reportUnread(cell, tell)
  return drafts
}
