import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Endpoint, isEndpoint, isWrite, permissionsOf } from '@gantry/contract/endpoint'
import { isTopic, type Topic, type TopicRule } from '@gantry/contract/topic'
import { nameFor } from '@gantry/contract/topic-names'
import { expect, test } from 'vitest'
import { findTopics } from '../../kernel/find.ts'
import { placeholders } from '../validate-endpoints.ts'

/** What one person writes shows in the browser of another: the console follows what the contract declares. */

const root = resolve(import.meta.dirname, '../../../../..')
const contract = join(root, 'packages/contract/src')

/** A read or a subscription of the console. */
interface Use {
  /** As the contract exports it: `groups.list`. */
  name: string
  value: unknown
  file: string
  /** The call, with its options. */
  call: string
}

/** From a bracket to the one that closes it. */
function within(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if ('([{'.includes(text.charAt(at))) depth += 1
    if (')]}'.includes(text.charAt(at))) depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from)
}

/** What a file reads (`useRead(groups.list, …)`) and subscribes to (`usePush([teamTopic], …)`). */
async function usesIn(text: string, file: string): Promise<Use[]> {
  const imported = new Map<string, { name: string; value: unknown }>()
  for (const [, names = '', module = ''] of text.matchAll(/import \{([^}]*)\} from '@gantry\/contract\/([^']+)'/g)) {
    const exported = (await import(join(contract, `${module}.ts`))) as Record<string, unknown>
    for (const one of names.split(',')) {
      const [name = '', local = name] = one.trim().split(' as ')
      imported.set(local, { name, value: exported[name] })
    }
  }
  return [...text.matchAll(/\b(useRead|usePush)\(\s*\[?(\w+)(?:\.(\w+))?/g)].flatMap(
    ({ index, 1: hook = '', 2: local = '', 3: member }) => {
      const one = imported.get(local)
      if (!one) return []
      const call = within(text, index + hook.length)
      if (member === undefined) return [{ ...one, file, call }]
      return [{ name: `${one.name}.${member}`, value: (one.value as Record<string, unknown>)[member], file, call }]
    },
  )
}

const files = globSync('apps/console/src/**/*.{ts,tsx}', { cwd: root, exclude: (file) => /\.test\.tsx?$/.test(file) })
const uses = (await Promise.all(files.map((file) => usesIn(readFileSync(join(root, file), 'utf8'), file)))).flat()
const reads = uses.flatMap((use) => (isEndpoint(use.value) && !isWrite(use.value) ? [{ ...use, read: use.value }] : []))
const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted()
/** What is listed by its reason. */
const listed = (reasons: Record<string, readonly string[]>): string[] => sorted(Object.values(reasons).flat())

test('what the console reads and subscribes to is found in its text, whatever it is called there', async () => {
  const text = `
    import { groups, type Group } from '@gantry/contract/pipelines/groups'
    import { session as calls } from '@gantry/contract/auth/session'
    import { teamTopic } from '@gantry/contract/teams/topics'
    useRead(groups.list, { params }, { of: f(1) })
    useRead(
      calls.options, {})
    usePush([teamTopic], { teamId }, hear)
    useRead(endpoint, input)`
  expect((await usesIn(text, 'x.tsx')).map(({ name, call }) => [name, call])).toEqual([
    ['groups.list', '(groups.list, { params }, { of: f(1) })'],
    ['session.options', expect.stringMatching(/^\(\s+calls\.options, \{\}\)$/)],
    ['teamTopic', '([teamTopic], { teamId }, hear)'],
  ])
  expect(reads.length).toBeGreaterThan(250)
})

const ofTheServer: Record<string, readonly string[]> = {
  'what a team may see of a cluster, which the server watches for it': ['namespaces-in-use/:teamId'],
}

test('every topic is followed by the console, or listed with who hears it', async () => {
  const followed = new Set(
    uses.flatMap(({ value }) => (isEndpoint(value) ? value.topics : isTopic(value) ? [value] : [])),
  )
  const all = (await findTopics()).map(({ value }) => value)
  expect(sorted(all.filter((topic) => !followed.has(topic)).map(({ path }) => path))).toEqual(listed(ofTheServer))
})

const never: Record<string, readonly string[]> = {
  'is always the same': [
    'revisions.get',
    'roles.templates',
    'session.catalogue',
    'traces.get',
    'versions.compare',
    'versions.get',
  ],
  'is read before a login, when there is no channel': ['joinLinks.open', 'session.ldaps', 'session.options'],
  'is of an outside system, where nothing that is done here changes it': [
    'charts.inspect',
    'definitionFile.read',
    'harborContents.layer',
    'harborProjects.rules',
    'harbors.info',
    'hosts.logs',
    'openstack.choices',
    'serviceLogs.search',
    'traces.operations',
  ],
  'grows by itself and is asked for again every few seconds': [
    'audit.search',
    'buildIssues',
    'mail.outbox',
    'monitoring.query',
  ],
  'answers a question of the moment: a search, a check of what is typed, a dialog that is opened to look': [
    'audit.get',
    'clusters.recheck',
    'containers.log',
    'containers.paths',
    'harborContents.uses',
    'news.get',
    'oauthProvider.signIn',
    'roles.givers',
    'search.find',
    'tests.history',
    'triggers.slots',
    'ways.claimed',
  ],
  'adds up days of builds: one more build is not worth adding up again': [
    'reports.abilities',
    'reports.ability',
    'reports.code',
    'reports.delivery',
    'reports.groupDelivery',
    'reports.recoverAvg',
    'reports.stageMeta',
    'reports.stateDistribution',
    'reports.teamDelivery',
  ],
}

test('what a page reads says when it is out of date, or is listed with the reason', () => {
  expect(sorted(reads.filter(({ read }) => read.topics.length === 0).map(({ name }) => name))).toEqual(listed(never))
})

const unfollowed: Record<string, readonly string[]> = {
  'a form with the revision that it was opened on: it is told when it is sent': [
    'services.get in upgrade-outward-page.tsx',
    'services.get in upgrade-service-page.tsx',
  ],
  'a dialog on a page that follows the same read': ['services.get in scale-dialog.tsx'],
  'what a rule that is being typed would have done to the service': ['services.get in preview.tsx'],
}

/** Whether a read's call says what one of its topics is about. */
function saysWhich(read: Endpoint): boolean {
  const named = Object.fromEntries(placeholders(read.path).map((name) => [name, '1']))
  const isOfTeam = typeof read.access === 'object' && !('system' in read.access)
  const given = { named, userId: 1, ...(isOfTeam && { teamId: 1 }) }
  return read.topics.length === 0 || read.topics.some((topic) => nameFor(topic, read, given) !== undefined)
}

test('where a call does not say which objects its topics are about, the page says it', () => {
  const silent = reads.filter(({ read, call }) => !saysWhich(read) && !/\bof: /.test(call))
  expect(sorted(silent.map(({ name, file }) => `${name} in ${basename(file)}`))).toEqual(listed(unfollowed))
})

const late: Record<string, readonly string[]> = {
  'shows beside its own what runs of it or uses it up: of that is told who may see stacks': [
    'blueprints.get: stacks/:teamId',
    'blueprints.list: stacks/:teamId',
    'catalogTemplates.get: stacks/:teamId',
    'catalogTemplates.list: stacks/:teamId',
    'catalogs.ofTeam: stacks/:teamId',
    'products.get: stacks/:teamId',
    'products.list: stacks/:teamId',
    'quotas.ofTeam: stacks/:teamId',
    'quotas.onEnvironment: stacks/:teamId',
  ],
  'has a part for each permission, and what is told of that part needs the same': [
    'applications.list: stack/:stackId',
    'hosts.list: hosts/:env',
    'overview.get: builds/:teamId',
    'overview.get: stacks/:teamId',
    'sample.get: builds/:teamId',
    'sample.get: stacks/:teamId',
  ],
  'is told to oneself by user/:userId': ['users.get: users'],
}

/** Whether everybody who may make a read is admitted by a rule of its topic. */
function admits(rule: TopicRule, { access }: Endpoint): boolean {
  if (access === 'admin' || rule === 'user') return true
  if (rule === 'admin') return false
  if ('self' in rule) return true
  const wanted = ['or' in rule ? rule.or : undefined, 'system' in rule ? rule.system : rule.permission]
  const granted: readonly string[] = permissionsOf(access)
  return wanted.at(-1) === undefined || wanted.some((one) => one !== undefined && granted.includes(one))
}

test('who may make a read may follow it, or it is listed what is told of it late', () => {
  const rulesOf = ({ access }: Topic): readonly TopicRule[] =>
    typeof access === 'object' && 'scope' in access ? access.team : [access].flat()
  const closed = reads.flatMap(({ name, read }) =>
    read.topics
      .filter((topic) => !rulesOf(topic).every((rule) => admits(rule, read)))
      .map(({ path }) => `${name}: ${path}`),
  )
  expect(sorted(closed)).toEqual(listed(late))
})
