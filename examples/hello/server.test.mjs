import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answer, createService } from './server.mjs'
import { version } from './version.mjs'

test('a version has three numbers', () => assert.match(version, /^\d+\.\d+\.\d+$/))

test('the front page greets with the version', () => {
  assert.deepEqual(answer('GET', '/'), { status: 200, text: `Hello from ${version}\n` })
})

test('an unknown page is 404, a write is 405', () => {
  assert.equal(answer('GET', '/nowhere').status, 404)
  assert.equal(answer('POST', '/').status, 405)
})

const service = createService()
before(() => new Promise((resolve) => service.listen(0, '127.0.0.1', resolve)))
after(() => service.close())

const get = (path) => fetch(`http://127.0.0.1:${service.address().port}${path}`)

test('the service answers over HTTP', async () => {
  const response = await get('/')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-version'), version)
  assert.equal(await response.text(), `Hello from ${version}\n`)
})

test('the service says that it is healthy', async () => {
  assert.equal((await get('/healthz')).status, 200)
})
