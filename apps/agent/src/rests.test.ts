import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, someModes, type AgentProcess } from '../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { script, soon, work } from '../test/works.ts'

/** Files that a step leaves behind, with any names and depth, must not hinder the agent. */
const isolates = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0

/** 40 nested folders with names of 200 characters: no path reaches the last one. */
const deep = `
  name=$(printf %0200d 0); mkdir $name
  for i in $(seq 1 40); do mkdir up; : > up/file; mv $name up/; mv up $name; done`

describe.skipIf(!isolates).each(someModes)('a build, isolated as $mode (needs unshare)', ({ mode, ...as }) => {
  let server: FakeServer
  let agent: AgentProcess
  beforeAll(async () => {
    server = await fakeServer()
    agent = await agentProcess(server.url, {}, tmpdir(), as)
    expect(agent.log()).toContain(`"mode":"${mode}"`)
  })
  afterAll(async () => {
    await agent.close()
    await server.close()
  })
  const rooms = (): string[] => readdirSync(join(agent.dir, 'builds'))

  test('leaves no file behind, even with deep paths, odd names or missing permissions', async () => {
    const build = server.give(
      work([
        script(`${deep}
          mkdir -p locked/inner "$(printf 'caf\\351')"; : > locked/inner/file; chmod 0 locked/inner; chmod 555 locked
          cp -r "$(printf 'caf\\351')" "$HOME"; : > "/tmp/$(printf '\\377')"`),
      ]),
    )
    expect(await build.ended).toMatchObject({ state: 'success' })
    await expect.poll(rooms, soon).toEqual([])
  })

  test('leaves nothing behind if the agent is killed: the next agent removes it', async () => {
    const build = server.give(work([script(`${deep}\necho up; sleep 60`)]))
    await expect.poll(() => build.log(0), soon).toContain('up')
    await agent.kill('SIGKILL')
    build.attempt = 2
    await agent.start()
    await expect.poll(rooms, soon).toEqual([])
  })

  test('keeps the files that it can, and names the invalid ones without paths of the machine', async () => {
    const build = server.give(
      work([
        script(`mkdir out; cd out; echo good > good; echo bad > "$(printf 'caf\\351')"; ${deep}`),
        { name: 'keep', type: 'artifact', files: 'out/**' },
        { name: 'report', type: 'report', files: 'out/caf*', always: true },
      ]),
    )
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-no-files' } })
    expect(build.events).toContainEqual(expect.objectContaining({ step: 1, state: 'success' }))
    expect([...build.artifacts.keys()].filter((path) => !path.endsWith('/file'))).toEqual(['out/good'])
    expect(build.log(1)).toContain(String.raw`Passed over out/caf\xe9: the name is not UTF-8.`)
    expect(build.log(1)).toMatch(/^Passed over out\/0{200}\/.*: the path is too long\.$/m)
    expect(build.log(1) + build.log(2) + JSON.stringify(build.events)).not.toContain(agent.home)
  })
})
