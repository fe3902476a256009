import { expect, test } from 'vitest'
import { manualObjects } from '../../../../test/manual-account.ts'
import type { Right } from '../../../adapters/kube/operations/reviews.ts'
import { everything, grants, neededQuestions, questions, roleRules, summarizeRights, uses } from './rights.ts'

const none = questions.map(() => false)
const all = questions.map(() => true)

test('every right is listed once per purpose', () => {
  const count = uses.reduce((sum, { resources, verbs }) => sum + resources.length * verbs.length, 0)
  expect(questions).toHaveLength(count)
  expect(everything).toMatchObject({ verb: '*', resource: { group: '*', plural: '*' } })
})

test('the summary is complete: with all or none allowed, it has a line for each kind of object', () => {
  const kinds = uses.reduce((sum, { resources }) => sum + resources.length, 0)
  expect(summarizeRights(all)).toHaveLength(kinds)
  expect(summarizeRights(none)).toHaveLength(kinds)
  expect(summarizeRights(all).every(({ allowed }) => allowed)).toBe(true)
  expect(summarizeRights(none).some(({ allowed }) => allowed)).toBe(false)
})

test('a kind that is partly allowed has two lines', () => {
  const may = questions.map(({ verb, resource, subresource }) =>
    resource.plural === 'pods' && subresource === undefined ? verb !== 'delete' : true,
  )
  expect(summarizeRights(may).filter(({ right }) => right.endsWith(' pods'))).toEqual([
    { right: 'get, list, watch pods', for: 'clusters-right-running', allowed: true, needed: true },
    { right: 'delete pods', for: 'clusters-right-running', allowed: false, needed: true },
    { right: 'create, patch pods', for: 'clusters-right-charts', allowed: true, needed: false },
  ])
})

const right = (verb: string, group: string, plural: string, subresource?: string): Right => ({
  verb,
  resource: { group, version: '*', kind: '', plural, namespaced: true },
  ...(subresource === undefined ? {} : { subresource }),
})

test.each<[verbs: string, groups: string, resources: string, question: Right, granted: boolean]>([
  ['get', '', 'pods', right('get', '', 'pods'), true],
  ['*', '*', '*', right('get', 'apps', 'deployments'), true],
  ['*', '*', '*', right('get', '', 'pods', 'log'), true],
  ['get', '', 'pods', right('list', '', 'pods'), false],
  ['get', 'apps', 'pods', right('get', '', 'pods'), false],
  ['get', '', 'pods', right('get', '', 'pods', 'log'), false],
  ['get', '', 'pods/log', right('get', '', 'pods', 'log'), true],
  ['get', '', 'pods/log', right('get', '', 'pods'), false],
  ['get', '', '*/log', right('get', '', 'pods', 'log'), true],
  ['get', '', '*/log', right('get', '', 'pods'), false],
])('a rule of %s in “%s” on %s, asked for %j: %s', (verbs, groups, resources, question, granted) => {
  expect(grants({ verbs: [verbs], groups: [groups], resources: [resources] }, question)).toBe(granted)
})

test('the cluster role grants every right that is needed', () => {
  const rules = roleRules().map(({ apiGroups, ...rule }) => ({ ...rule, groups: apiGroups }))
  expect(neededQuestions.length).toBeGreaterThan(100)
  expect(neededQuestions.filter((question) => !rules.some((rule) => grants(rule, question)))).toEqual([])
})

test('a right that is not required names its purpose', () => {
  const extra = new Set(uses.filter(({ needed }) => !needed).map((use) => use.for))
  expect([...extra].filter((purpose) => uses.some((use) => use.needed && use.for === purpose))).toEqual([])
})

test.each(['en', 'zh'] as const)('the manual (%s) gives the account exactly these rights', (language) => {
  const documents: { kind?: string | undefined; rules?: unknown }[] = manualObjects(language)
  expect(documents.map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ServiceAccount',
    'Secret',
    'ClusterRole',
    'ClusterRoleBinding',
  ])
  expect(documents.find(({ kind }) => kind === 'ClusterRole')?.rules).toEqual(roleRules())
})
