import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '@gantry/contract/agents/agents'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { terminals } from '@gantry/contract/pipelines/terminals'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../../../../agent/test/agent-process.ts'
import { ownPodman, type Podman, whyNoPodman } from '../../../../../agent/test/podman.ts'
import { testPipeline } from '../../../../test/build-agent.ts'
import { connectTerminal } from '../../../../test/build-terminal.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'

const soon = { timeout: 30_000 }

describe.skipIf(whyNoPodman !== '')(`terminals in containers of podman (${whyNoPodman || 'it is there'})`, async () => {
  const app = await testApp()
  const { origin } = await socketClient(app)
  const team = await app.team()
  let dir: string
  let podman: Podman
  let agent: AgentProcess
  let images: { shell: number; web: number }
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gantry-podman-'))
    podman = ownPodman(join(dir, 'engine'))
    const { token } = await app.admin.call(agents.create, {
      body: { name: 'with-containers', labels: ['with-containers'], capacity: 2 },
    })
    agent = await agentProcess(origin, {
      GANTRY_AGENT_TOKEN: token,
      GANTRY_AGENT_CONTAINER_ENGINE: podman.program,
      GANTRY_AGENT_BUILD_MEMORY_MB: '64',
    })
    const add = async (name: string, image: string) =>
      (await app.admin.call(buildImages.create, { body: { name, image } })).id
    images = { shell: await add('shell', podman.image), web: await add('web', podman.web) }
  })
  afterAll(async () => {
    await agent?.close()
    podman?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  async function start(run: string, keepsWorkspace = false) {
    const container = { executor: 'container' as const, image: images.shell }
    const services = [{ name: 'web', image: images.web, port: 8080 }]
    const steps = [{ type: 'script' as const, name: 'run', run }]
    const job = { name: 'job', ...container, services, keepsWorkspace, steps }
    const { id } = await testPipeline(app, team, [], [{ name: 'only', jobs: [job] }])
    await app.db
      .updateTable('pipeline')
      .set({ agent_labels: ['with-containers'] })
      .where('id', '=', id)
      .execute()
    const variables = [
      { name: 'TOKEN', value: 'hunter2-and-more', secret: true },
      { name: 'PLAIN', value: 'plain', secret: false },
    ]
    await team.leader.call(pipelines.setVariables, { params: { id }, body: { variables } })
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const params = { id, number, job: 0 }
    const lines = async () =>
      (await team.leader.call(builds.log, { params: { id, number, stage: 'only' }, query: {} })).lines.map(
        ({ text }) => text,
      )
    const state = async () => (await team.leader.call(builds.get, { params: { id, number } })).state
    async function open() {
      const { url, ticket } = await team.leader.call(terminals.open, { params })
      return connectTerminal(origin, url, ticket)
    }
    return { params, lines, state, open, stop: () => team.leader.call(builds.stop, { params: { id, number } }) }
  }

  test('a shell in a running step is a terminal of the step’s container, with its environment, and ends with it', async () => {
    const build = await start('echo kept > file; echo here; sleep 600')
    await eventually(build.lines, (lines) => lines.includes('here'), { ms: 30_000 })
    const shell = await build.open()
    shell.resize(91, 33)
    shell.type('echo "is $(cat file) $PLAIN $TOKEN $(cat /etc/of-the-image) $(id -u)"\r')
    await expect.poll(shell.output, soon).toContain('is kept plain ****** yes 0')
    shell.type('echo "runs $(ps | grep -c "[s]leep 600"), serves $(wget -qO- http://web:8080/of-the-image)"\r')
    await expect.poll(shell.output, soon).toContain('runs 1, serves yes')
    shell.type(`wget -T 3 -qO- ${origin} || echo no$((1 + 1))machine; test -t 1 && echo is$((1 + 1))tty\r`)
    await expect.poll(shell.output, soon).toContain('is2tty')
    expect(shell.output()).toContain('no2machine')
    shell.type('exit 3\r')
    await shell.closed
    expect(shell.message()).toBe('')

    const left = await build.open()
    left.type('(setsid sleep 4321 &); sleep 4322 & echo on$((1 + 1))\r')
    await expect.poll(left.output, soon).toContain('on2')
    left.ws.close()
    await left.closed
    const last = await build.open()
    const count = async () => {
      last.type('echo "left $(ps | grep -c "[s]leep 432")."\r')
      return last.output()
    }
    await expect.poll(count, soon).toContain('left 0.')
    await build.stop()
    await last.closed
    expect(last.message()).toBe('The step has ended, and this terminal with it.')
    await expect.poll(build.state, soon).toBe('aborted')
    await expect.poll(() => podman.containers(), soon).toEqual([])
  })

  test('a failed job has a terminal in a container like its own, over the files that it left', async () => {
    const build = await start('echo made > made.txt; exit 7', true)
    await expect.poll(build.state, soon).toBe('failed')
    await expect.poll(() => podman.containers(), soon).toEqual([])
    const shell = await eventually(async () => {
      const one = await build.open()
      one.type('echo "[$(cat made.txt)] [$PLAIN] [$TOKEN] $(cat /etc/of-the-image)"; echo end$((1 + 1))\r')
      await eventually(() => one.output().includes('end2') || one.message() !== undefined, Boolean)
      expect(one.message()).toBeUndefined()
      return one
    })
    expect(shell.output()).toContain('This is the workspace that the failed job has left')
    expect(shell.output()).toContain('[made] [plain] [] yes')
    shell.type('wget -qO- http://web:8080/of-the-image > more.txt; exit\r')
    await shell.closed
    await expect.poll(() => podman.containers(), soon).toEqual([])
    const again = await build.open()
    again.type('echo "[$(cat more.txt)]"\r')
    await expect.poll(again.output, soon).toContain('[yes]')
    again.ws.close()
    await again.closed
    await expect.poll(() => podman.containers(), soon).toEqual([])
  })
})
