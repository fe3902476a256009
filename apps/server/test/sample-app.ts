import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sample } from '@gantry/contract/sample/sample'
import pino from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { choosePort } from '../../launcher/src/ports.ts'
import { readConfig } from '../src/config.ts'
import { buildPorts } from '../src/ports.ts'
import { startSandbox } from './sandbox.ts'
import { testApp, type TestApp } from './test-app.ts'

type Team = Awaited<ReturnType<TestApp['team']>>

/** What a sample needs, for the tests of one file: a listening server with jobs, the product's sandbox, and git. */
export async function sampleApp() {
  const sandbox = await startSandbox()
  const data = mkdtempSync(join(tmpdir(), 'gantry-sample-'))
  const origin = `http://127.0.0.1:${await choosePort('127.0.0.1')}`
  const config = readConfig({
    DATABASE_URL: 'postgresql:///unused',
    GANTRY_DATA: data,
    GANTRY_SECRET_KEY: 'a secret key for tests only',
    GANTRY_PORT: new URL(origin).port,
    GANTRY_SANDBOX_KUBECONFIG: sandbox.kubeconfig,
    GANTRY_SANDBOX_REGISTRY: `http://${sandbox.registry}`,
    GANTRY_SANDBOX_REGISTRY_KEY_FILE: sandbox.registryKey,
    PATH: process.env['PATH'],
  })
  const { data: folder, port, sandboxKubeconfig, sandboxRegistry } = config
  const { ports, close } = await buildPorts(config, pino({ level: 'silent' }))
  const app = await testApp({ ports, config: { data: folder, port, sandboxKubeconfig, sandboxRegistry } })
  const ends: (() => unknown)[] = []

  beforeAll(async () => {
    await app.firstThings()
    await app.startJobs()
    await app.fastify.listen({ host: '127.0.0.1', port })
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await close()
    await sandbox.stop()
    rmSync(data, { recursive: true, force: true })
  })

  const of = ({ id }: Team) => ({ params: { teamId: id } })
  return {
    app,
    config,
    data,
    origin,
    ports,
    /** Registers a function to run before the server stops. */
    atEnd: (end: () => unknown) => void ends.push(end),
    of,
    make: (team: Team) => team.leader.call(sample.create, of(team)),
    look: (team: Team) => team.leader.call(sample.get, of(team)),
  }
}
