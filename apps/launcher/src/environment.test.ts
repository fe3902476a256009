import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { forOthers, forServer } from './environment.ts'

const given = {
  PATH: ['/gantry/node_modules/.bin', '/node_modules/.bin', '/usr/bin', '/opt/my_node_modules'].join(delimiter),
  HOME: '/home/me',
  npm_config_cache: '/tmp/npm',
  INIT_CWD: '/gantry',
  DATABASE_URL: 'postgresql://secret',
  GANTRY_SECRET_KEY: 'secret',
  GANTRY_ADMIN_PASSWORD: 'secret',
  GANTRY_AGENT_CAPACITY: '4',
  AWS_SECRET_ACCESS_KEY: 'secret',
  HTTPS_PROXY: 'http://proxy',
}

test('the server gets the environment without what npm has added', () => {
  const env = forServer(given, { GANTRY_PORT: '1' })
  expect(env).toMatchObject({ DATABASE_URL: 'postgresql://secret', HOME: '/home/me', GANTRY_PORT: '1' })
  expect(env['PATH']).toBe(['/usr/bin', '/opt/my_node_modules'].join(delimiter))
  expect(Object.keys(env)).not.toContain('npm_config_cache')
  expect(Object.keys(env)).not.toContain('INIT_CWD')
})

test('the agent and the sandbox get no secret', () => {
  const env = forOthers(given, { SANDBOX_DATA: join('/data', 'sandbox') })
  expect(env).toMatchObject({ HOME: '/home/me', GANTRY_AGENT_CAPACITY: '4', HTTPS_PROXY: 'http://proxy' })
  expect(Object.values(env).filter((value) => value?.includes('secret'))).toEqual([])
})
