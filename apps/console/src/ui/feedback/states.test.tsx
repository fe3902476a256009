import { cleanup, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { BuildState, StepState } from '@gantry/contract/pipelines/states'
import { ServiceState, StackState } from '@gantry/contract/stacks/states'
import { useConsole } from '../../../test/app.tsx'
import { ContainerBadge, ServiceBadge, StackBadge } from '../../domains/stacks/services/badges.tsx'
import { isPhrase } from '../../api/language.ts'
import { StateBadge } from './state-badge.tsx'
import { kubernetesTone, stateKey, toneOf } from './states.ts'

useConsole()

interface Schema {
  def: {
    type: string
    innerType?: Schema
    element?: Schema
    shape?: Record<string, Schema>
    left?: Schema
    right?: Schema
  }
  options?: readonly unknown[]
}

/** The values of states in calls' answers, each of which is shown as a badge somewhere. */
function statesIn(schema: Schema, name = ''): string[] {
  const { type, innerType, element, shape, left, right } = schema.def
  if (type === 'enum') return /^(state|health|result)$/.test(name) ? (schema.options ?? []).map(String) : []
  return [
    ...[innerType, element, left, right].flatMap((inner) => (inner ? statesIn(inner, name) : [])),
    ...Object.entries(shape ?? {}).flatMap(([key, inner]) => statesIn(inner, key)),
  ]
}

/** Not shown as badges: freshness of figures, availability of the first minute, conditions of jobs, and ended gates. */
const others = new Set(['live', 'stale', 'loading', 'none', 'unavailable', 'always', 'over'])

const contract = import.meta.glob(
  ['../../../../../packages/contract/src/**/*.ts', '!../../../../../packages/contract/src/**/*.test.ts'],
  { eager: true },
)

test('every state in a call’s answer is in the table', () => {
  const found = new Set<string>()
  for (const file of Object.values(contract))
    for (const group of Object.values(file as object))
      for (const call of Object.values((group ?? {}) as object))
        if (call && typeof call === 'object' && 'method' in call && 'data' in call)
          for (const state of statesIn(call.data as Schema)) found.add(state)
  expect(found.size).toBeGreaterThan(30)
  expect([...found].filter((state) => !others.has(state) && toneOf(state) === undefined)).toEqual([])
})

const lookOf = (badge: ReactElement) => {
  const { container } = render(badge)
  const state = container.querySelector('.g-state')
  const look = [state?.className, state?.textContent, state?.querySelector('svg')?.innerHTML]
  cleanup()
  return look
}
const live = { state: 'live', since: null } as const

test.each(ServiceState.options)('a service that is %s looks the same everywhere', (state) => {
  const plain = lookOf(<StateBadge state={state} />)
  expect(lookOf(<ServiceBadge service={{ state, ready: 1, replicas: 1, live }} />)).toEqual(plain)
})

test.each(StackState.options)('a stack that is %s looks like anything else with that state', (state) => {
  expect(lookOf(<StackBadge state={state} />)).toEqual(lookOf(<StateBadge state={state} />))
})

test('every state of builds, steps, services and stacks has a text', () => {
  const states = [...BuildState.options, ...StepState.options, ...ServiceState.options, ...StackState.options]
  for (const state of states) expect(lookOf(<StateBadge state={state} />)[1]).not.toMatch(/_|^$/)
})

test('a finished upgrade is shown everywhere as waiting for a decision', () => {
  expect(toneOf('upgraded')).toBe('warn')
})

test.each([
  ['Running', true, 'ok'],
  ['Running', false, 'warn'],
  ['Completed', false, 'ok'],
  ['Terminating', false, 'busy'],
  ['ContainerCreating', false, 'wait'],
  ['Init:1/3', false, 'wait'],
  ['Init:CrashLoopBackOff', false, 'bad'],
  ['ErrImagePull', false, 'bad'],
] as const)('a pod that is %s (ready: %s) is %s, like its container', (word, isReady, tone) => {
  expect(kubernetesTone(word, isReady)).toBe(tone)
  expect(lookOf(<ContainerBadge state={word} ready={isReady} />)[0]).toBe(`g-state g-state-${tone}`)
})

const sources = import.meta.glob('../../domains/**/*.tsx', { query: '?raw', import: 'default', eager: true })

test('every state that a screen names has a phrase', () => {
  const written = Object.values(sources as Record<string, string>).flatMap((text) =>
    [...text.matchAll(/<StateBadge\b[^>]*>/g)]
      .filter(([badge]) => !/\btext=/.test(badge))
      .flatMap(([badge]) => [...(/state=("[\w-]+"|\{[^}]*\})/.exec(badge)?.[1] ?? '').matchAll(/["'](\w[\w-]*)["']/g)])
      .map(([, state]) => stateKey(state)),
  )
  expect(written.length).toBeGreaterThan(5)
  expect([...new Set(written)].filter((state) => !isPhrase(`state-${state}`))).toEqual([])
})

test('no screen defines colours for states, except for words of Kubernetes', () => {
  const own = Object.entries(sources as Record<string, string>)
    .filter(([, text]) => /StateTone>|<StateBadge[^>]*\btone=/.test(text))
    .map(([path]) => path.replace('../../domains/', ''))
  expect(own.toSorted()).toEqual([
    'clusters/hosts/host-overview.tsx',
    'clusters/pods/pod-marks.tsx',
    'stacks/services/badges.tsx',
  ])
})
