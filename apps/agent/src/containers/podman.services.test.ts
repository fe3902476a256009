import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { ownPodman, whyNoPodman, type Podman } from '../../test/podman.ts'
import { script, work } from '../../test/works.ts'

describe.skipIf(whyNoPodman !== '')(`jobs in containers of a real podman (${whyNoPodman || 'it is there'})`, () => {
  let dir: string
  let podman: Podman
  let server: FakeServer
  let agent: AgentProcess
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gantry-podman-'))
    podman = ownPodman(join(dir, 'engine'))
    server = await fakeServer()
    agent = await agentProcess(server.url, {
      GANTRY_AGENT_CONTAINER_ENGINE: podman.program,
      GANTRY_AGENT_BUILD_MEMORY_MB: '64',
      GANTRY_AGENT_BUILD_PROCESSES: '100',
      GANTRY_AGENT_CAPACITY: '4',
    })
  })
  afterAll(async () => {
    await agent?.close()
    await server?.close()
    podman?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const job = (steps: Parameters<typeof work>[0], given: Parameters<typeof work>[1] = {}) =>
    server.give(work(steps, { executor: 'container', image: podman.image, ...given }))
  const soon = { timeout: 30_000 }
  const nothingLeft = () => expect.poll(() => podman.containers(), soon).toEqual([])

  test('the agent reports that it has containers', async () => {
    await expect.poll(() => server.claims[0]?.executors, soon).toEqual(['process', 'container'])
    expect(agent.log()).toContain('"containers":"podman version')
  })

  test('steps run in the image as its root, share workspace, HOME and outputs, and their log masks secrets', async () => {
    const build = job(
      [
        script('id -u; cat /etc/of-the-image; echo "$TOKEN"; echo kept > file; echo too > "$HOME/file"; touch /gone'),
        script('cat file "$HOME/file"; ls /gone || echo "V=a $ODD" > "$GANTRY_OUTPUT"; ls /var/lib 2>&1 | head -1'),
        script(`echo "$GANTRY_OUTPUT_SCRIPT_CAT_FILE_H_V"; exit 3`),
      ],
      {
        environment: [
          { name: 'TOKEN', value: 'hunter2-and-more' },
          { name: 'ODD', value: `it's "$(id)" \`x\` \\ 你好` },
        ],
        masked: ['hunter2-and-more'],
      },
    )
    expect(await build.ended).toMatchObject({
      state: 'failed',
      reason: { key: 'agents-script-failed', vars: { code: 3 } },
    })
    expect(build.log(0)).toBe('0\nyes\n******\n')
    expect(build.log(1)).toMatch(/^kept\ntoo\nls: \/gone: No such file/)
    expect(build.events.find((event) => event.type === 'output')).toMatchObject({
      values: { V: `a it's "$(id)" \`x\` \\ 你好` },
    })
    await nothingLeft()
  })

  test('a service is reached by its name once its port is open, by both steps, but this machine is not reachable', async () => {
    const build = job(
      [
        script('wget -qO- http://web:8080/said; wget -qO- http://localhost:8080/of-the-image'),
        script(`wget -qO- http://web:8080/said; wget -T 3 -qO- ${server.url} 2> /dev/null || echo not the machine`),
      ],
      {
        services: [
          { name: 'web', image: podman.web, environment: [{ name: 'SAID', value: `it's "odd" $HOME 你` }], port: 8080 },
        ],
      },
    )
    expect(await build.ended).toMatchObject({ state: 'success' })
    expect(build.log(0)).toBe(`Starting the service web of ${podman.web}\nit's "odd" $HOME 你\nyes\n`)
    expect(build.log(1)).toBe(`it's "odd" $HOME 你\nnot the machine\n`)
    await nothingLeft()
  })

  test('a service that ends fails its step, with the last output of the service', async () => {
    const services = [
      { name: 'db', image: podman.broken, environment: [{ name: 'SAID', value: 'password' }], port: 5432 },
    ]
    const build = job([script('echo never')], { services })
    expect(await build.ended).toMatchObject({ reason: { key: 'agents-service-ended', vars: { service: 'db' } } })
    expect(build.log(0)).toContain('db: no password')
    await nothingLeft()
  })

  test('exceeding the memory is reported as such, and ends only that step', async () => {
    const neighbour = job([script('sleep 3; echo fine')])
    const build = job([script('head -c 300m /dev/zero | tail -c 250000000 > /dev/null; echo no')])
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-limit-memory' } })
    expect(build.log(0)).toContain('the build met its limit of memory')
    expect(await neighbour.ended).toMatchObject({ state: 'success' })
  })

  test('stopping a build asks its processes to end, and removes its containers', async () => {
    const build = job([script(`trap 'echo asked; exit 1' TERM; echo begun; sleep 60 & wait; sleep 60`)])
    await expect.poll(() => build.log(0), soon).toContain('begun')
    build.cancelled = true
    expect(await build.ended).toMatchObject({ state: 'aborted' })
    await nothingLeft()
  })

  test('a step that takes too long is ended with everything that it started', async () => {
    const build = job([script('(while true; do sleep 1; done) & sleep 100')], { timeoutSeconds: 3 })
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-build-timed-out' } })
    await nothingLeft()
  })

  test('a shell that the image lacks, and an image that does not exist, are reported as such', async () => {
    const [shell, image] = [
      job([script('echo no', { shell: 'bash' })]),
      job([script('echo no')], { image: 'localhost/nowhere:1' }),
    ]
    expect(await shell.ended).toMatchObject({ reason: { key: 'agents-container-failed' } })
    expect(await image.ended).toMatchObject({
      reason: { key: 'agents-image-not-pulled', vars: { image: 'localhost/nowhere:1' } },
    })
    await nothingLeft()
  })

  test('a container outlives its agent, and the next agent process completes its log', async () => {
    const build = job([script('for i in $(seq 1 60); do echo $i; sleep 0.1; done; exit 4')])
    await expect.poll(() => build.log(0), soon).toContain('10\n')
    await agent.kill('SIGKILL')
    await agent.start()
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { vars: { code: 4 } } })
    expect(build.log(0)).toBe(Array.from({ length: 60 }, (_, i) => `${i + 1}\n`).join(''))
    await nothingLeft()
  })

  test('containers that a killed agent left of a job that no longer exists are removed at the next start', async () => {
    const build = job([script('echo begun; sleep 100')])
    await expect.poll(() => build.log(0), soon).toContain('begun')
    await agent.kill('SIGKILL')
    for (const room of readdirSync(join(agent.dir, 'builds')))
      rmSync(join(agent.dir, 'builds', room), { recursive: true })
    expect(podman.containers()).toHaveLength(1)
    await agent.start()
    await nothingLeft()
    expect(existsSync(join(agent.dir, 'builds'))).toBe(true)
  })
})
