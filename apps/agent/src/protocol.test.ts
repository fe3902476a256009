import * as contract from '@gantry/contract/agents/protocol'
import { Reason } from '@gantry/contract/agents/events'
import { cacheLimits as ofCaches, stepProtocol } from '@gantry/contract/agents/step-protocol'
import { outputLimits as limits } from '@gantry/contract/pipelines/conditions'
import { en as agents } from '@gantry/phrases/agents/steps.en'
import { en as git } from '@gantry/phrases/pipelines/sources.en'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentLabel, cacheLimits, labelsOfAgent, outputLimits, paths, pollSeconds } from './protocol.ts'
import { reason } from './reasons.ts'

test('the agent’s copy of the contract’s values equals the contract', () => {
  const calls = { ...contract.protocol, ...stepProtocol }
  expect(paths).toEqual(Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, call.path])))
  expect(pollSeconds).toBe(contract.pollSeconds)
  expect(outputLimits).toEqual(limits)
  expect(cacheLimits).toEqual(ofCaches)
  expect(labelsOfAgent).toBe(contract.labelsOfAgent)
  for (const label of ['gpu', 'a', 'k=v.1_2-3', 'x'.repeat(63), 'x'.repeat(64), '', '-a', 'a-', 'a b', 'é'])
    expect([label, agentLabel.test(label)]).toEqual([label, contract.agentLabel.safeParse(label).success])
})

test('every reason has a text, and every text of the agent has a reason', () => {
  const declared = [...readFileSync(join(import.meta.dirname, 'reasons.ts'), 'utf8').matchAll(/\| '([\w-]+)'/g)].map(
    ([, key]) => key ?? '',
  )
  const known: Record<string, string> = { ...agents, ...git }
  expect(declared.filter((key) => known[key] === undefined)).toEqual([])
  expect(Object.keys(agents).filter((key) => !declared.includes(key))).toEqual([])
})

test('every use of a reason gives the values that its text needs', () => {
  const known: Record<string, string> = { ...agents, ...git }
  const given = sources().flatMap((text) => [
    ...text.matchAll(/(?:StepFailure|reason)\(\s*'([\w-]+)'(?:,\s*\{([^}]*)\})?/g),
  ])
  expect(given.length).toBeGreaterThan(30)
  for (const [, key = '', vars = ''] of given) {
    const wanted = [...(known[key] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const names = vars.split(',').map((part) => part.trim().split(':')[0])
    expect({ key, missing: wanted.filter((name) => !names.includes(name)) }).toEqual({ key, missing: [] })
  }
})

test('no value is longer than the protocol allows', () => {
  expect(Reason.parse(reason('agents-defect', { message: 'x'.repeat(100_000) })).vars['message']).toHaveLength(4000)
})

function sources(): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
}
