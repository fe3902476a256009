import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { gitServer } from '../../test/git-server.ts'
import { images, type Namespace, ownNamespace, whyNoKube } from '../../test/kube.ts'
import { script, work } from '../../test/works.ts'

describe.skipIf(whyNoKube !== '')(`jobs in a real Kubernetes (${whyNoKube || 'it is there'})`, () => {
  let namespace: Namespace
  let server: FakeServer
  let agent: AgentProcess
  beforeAll(async () => {
    namespace = await ownNamespace()
    server = await fakeServer()
    agent = await agentProcess(await namespace.serve(server.url), {
      ...namespace.environment,
      GANTRY_AGENT_CAPACITY: '3',
    })
  })
  afterAll(async () => {
    await agent?.kill('SIGKILL')
    await server?.close()
    await namespace?.close()
  })

  const job = (steps: Parameters<typeof work>[0], given: Parameters<typeof work>[1] = {}) =>
    server.give(work(steps, { executor: 'kubernetes', image: images.shell, ...given }))
  const nothingLeft = () => expect.poll(() => namespace.rests()).toBe('')

  test('steps run in the image, share workspace, HOME and outputs, and their log masks secrets', async () => {
    const build = job(
      [
        script('id -u; echo "$TOKEN"; echo kept > file; echo too > "$HOME/file"; (sleep 100 &)'),
        script('cat file "$HOME/file"; echo "V=a $ODD" > "$GANTRY_OUTPUT"; ps | grep -c "sleep 10[0]" || true'),
        { type: 'artifact', name: 'keep', files: 'file' },
        script(`echo "$GANTRY_OUTPUT_SCRIPT_CAT_FILE_V"; for i in $(seq 1 20000); do echo $i; done; exit 3`),
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
    expect(build.log(0)).toBe('0\n******\n')
    expect(build.log(1)).toBe('kept\ntoo\n0\n')
    expect(build.artifacts.get('file')?.toString()).toBe('kept\n')
    expect(build.log(3)).toBe(
      [`a it's "$(id)" \`x\` \\ 你好`, ...Array.from({ length: 20_000 }, (_, i) => i + 1), ''].join('\n'),
    )
    await nothingLeft()
  })

  test('checks out the sources of a commit, although the steps’ image has no git', async () => {
    const git = await gitServer()
    try {
      const commit = await git.commit('main', { 'a/b.txt': 'one\n' }, 'the first')
      await git.commit('main', { 'a/b.txt': 'two\n' })
      const url = `${await namespace.serve(git.url)}/private/hello.git`
      const repository = { url, branch: 'main', commit, username: 'robin', password: 'open sesame' }
      const build = job(
        [
          { type: 'checkout', name: 'sources' },
          script('cat a/b.txt; echo more >> a/b.txt; grep -r sesame . "$HOME" || echo none'),
        ],
        { repository, masked: ['open sesame'] },
      )
      expect(await build.ended).toMatchObject({ state: 'success' })
      expect(build.log(1)).toBe('one\nnone\n')
      expect(build.events).toContainEqual(expect.objectContaining({ type: 'commit', commit, message: 'the first' }))
      const wrong = job([{ type: 'checkout', name: 'sources' }], { repository: { ...repository, password: 'no' } })
      expect(await wrong.ended).toMatchObject({ state: 'failed', reason: { key: 'git-wrong-password' } })
    } finally {
      await git.close()
    }
    await nothingLeft()
  })

  test('files are cached for later jobs, and passed on to the next ones', async () => {
    const cache = { type: 'cache' as const, name: 'deps', key: 'deps-${hash:lock}', paths: ['deps'] }
    const lock = script('echo 1 > lock', { name: 'lock' })
    const first = job(
      [lock, cache, script('mkdir -p deps out; echo one > "deps/it is"; ln -s "it is" deps/link; echo built > out/a')],
      { handsOn: ['out/**'] },
    )
    expect(await first.ended).toMatchObject({ state: 'success' })
    expect(first.log(1)).toMatch(/Nothing is cached for (\S+)\nCached \1 /)
    const read = script('cat deps/link out/a; echo "hit $GANTRY_OUTPUT_DEPS_HIT"; echo too >> out/a', { name: 'read' })
    const second = job([lock, cache, read], { takesFrom: [first.work.jobId] })
    expect(await second.ended).toMatchObject({ state: 'success' })
    expect(second.log(2)).toBe('one\nbuilt\nhit yes\n')
    await nothingLeft()
  })

  test('a service is reached by its name once its port is open', async () => {
    const services = [{ name: 'web', image: images.web, environment: [{ name: 'PASSWORD', value: 's3' }], port: 8080 }]
    const build = job([script('wget -qO- http://web:8080/index.html')], { services })
    await expect.poll(() => namespace.kubectl(['get', 'pods', '-o', 'json'])).toContain('service-0-0')
    expect(await namespace.kubectl(['get', 'jobs,pods', '-o', 'json'])).not.toContain('"s3"')
    expect(await build.ended).toMatchObject({ state: 'success' })
    expect(build.log(0)).toMatch(/it works\n$/)
    await nothingLeft()
  })

  test('exceeding the memory is reported as such, and steps that always run still run', async () => {
    const build = job([
      script('head -c 300m /dev/zero | tail -c 250000000 > /dev/null; echo no'),
      script('echo always', { always: true }),
    ])
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-limit-memory' } })
    expect(build.log(1)).toBe('always\n')
    await nothingLeft()
  })

  test('stopping a build asks its processes to end, and removes everything of it', async () => {
    const build = job([script(`trap 'echo asked; exit 1' TERM; echo begun; sleep 60 & wait; sleep 60`)])
    await expect.poll(() => build.log(0)).toContain('begun')
    server.cancel(build.work.jobId)
    expect(await build.ended).toMatchObject({ state: 'aborted' })
    expect(build.log(0)).toContain('asked')
    await nothingLeft()
  })

  test('images that cannot be pulled, services that end and missing shells are reported by name', async () => {
    const broken = [{ name: 'db', image: images.shell, environment: [], port: 5432 }]
    const [nowhere, service, shell] = [
      job([script('echo no')], { image: 'localhost:1/nowhere:1' }),
      job([script('echo no')], { services: broken }),
      job([script('echo no', { shell: 'bash' })]),
    ]
    expect(await shell.ended).toMatchObject({ reason: { key: 'agents-container-failed' } })
    expect(await service.ended).toMatchObject({ reason: { key: 'agents-service-ended', vars: { service: 'db' } } })
    expect(await nowhere.ended).toMatchObject({ reason: { key: 'agents-pod-image' } })
    await nothingLeft()
  })

  test('a quota lets as many jobs run as fit; others stay queued, the agent reports why, and they leave nothing behind', async () => {
    await namespace.quota({ pods: '1' })
    const [first, second] = [job([script('sleep 4; echo 1')]), job([script('echo 2')])]
    await expect.poll(() => server.claims.at(-1)?.waits).toContain('exceeded quota: team, requested: pods=1')
    expect([first, second].map(({ claimedAt }) => claimedAt > 0)).toEqual([true, false])
    expect((await namespace.kubectl(['get', 'jobs,pods', '-o', 'name'])).split('\n')).toHaveLength(2)
    expect(await first.ended).toMatchObject({ state: 'success' })
    expect(await second.ended).toMatchObject({ state: 'success' })
    await nothingLeft()
    // a job that fits only without its service waits for space, and its log says so
    await namespace.quota({ 'limits.memory': '1100Mi' })
    const services = [{ name: 'web', image: images.web, environment: [], port: 8080 }]
    const large = job([script('echo at last')], { services })
    await expect.poll(() => large.log(0)).toContain('exceeded quota: team')
    expect(await namespace.rests()).toBe('')
    await namespace.quota(undefined)
    expect(await large.ended).toMatchObject({ state: 'success' })
    expect(large.log(0)).toMatch(/^Waiting for room in the namespace .*\n(Waiting for the service .*\n)?at last\n$/)
    await nothingLeft()
  })

  test('a job outlives its agent, and the next agent process removes the rest', async () => {
    const build = job([script('for i in $(seq 1 60); do echo $i; sleep 0.1; done')])
    await expect.poll(() => build.log(0)).toContain('10\n')
    await agent.kill('SIGKILL')
    await agent.start()
    expect(await build.ended).toMatchObject({ state: 'success' })
    expect(build.log(0)).toBe(Array.from({ length: 60 }, (_, i) => `${i + 1}\n`).join(''))
    await nothingLeft()
  })

  test('a pod that is deleted or gone ends its job with the cause', async () => {
    const build = job([script('echo begun; sleep 100')])
    await expect.poll(() => build.log(0)).toContain('begun')
    await namespace.kubectl(['delete', 'pods', '--all', '--force', '--grace-period=0'])
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-pod-deleted' } })
    await nothingLeft()
  })
})
