import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusedSocket, type SocketSpec } from '../../http/sockets/sockets.ts'
import { findEndpoints } from '../../kernel/find.ts'
import { isPhrase } from '../../kernel/phrase.ts'
import { findModules } from '../../module.ts'

const ofSockets = async (): Promise<(string | undefined)[]> => {
  const specs: SocketSpec[] = []
  for (const { sockets } of await findModules()) sockets?.((spec) => void specs.push(spec as SocketSpec))
  return specs.map((spec) => spec.audit)
}

/** Actions of the commands on the server, which are no endpoints. */
const ofRescue = (): string[] =>
  [
    ...readFileSync(join(import.meta.dirname, '../auth/password/rescue.service.ts'), 'utf8').matchAll(
      /'(admin\.[a-z-]+)'/g,
    ),
  ].map(([, action]) => action ?? '')

test('every action of the trail has a name in both languages', async () => {
  const ofCalls = (await findEndpoints()).map(({ value }) => value.audit)
  const actions = [...ofCalls, ...(await ofSockets()), ...ofRescue(), refusedSocket].filter(
    (action) => action !== undefined,
  )
  expect(actions).toContain('container.terminal')
  expect(actions).toContain('admin.unban')
  expect([...new Set(actions)].filter((action) => !isPhrase(`audit-action-${action}`))).toEqual([])
})
