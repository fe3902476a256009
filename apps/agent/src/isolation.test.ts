import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { agentProcess, type AgentProcess } from '../test/agent-process.ts'
import type { FakeBuild } from '../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { script, work } from '../test/works.ts'

/** Tests that try to escape from a step, as the agent isolates it for root or for an ordinary user. */
const root = process.getuid?.() === 0
const namespaces = [...(root ? [] : ['--user', '--map-root-user']), '--mount', '--pid', '--fork', 'true']
const lacking = spawnSync('unshare', namespaces).status === 0 ? undefined : 'no namespaces'
const title = `a step, isolated${lacking === undefined ? '' : ` (not here: ${lacking})`}`

/** Lets `find` skip most of a machine's files, but no files of a step or of the installation. */
const packages = '-name node_modules -prune -o'

/** Below a folder that anybody may enter, one that only root may enter, and the /tmp that each step has its own of. */
const everywhere = root ? ['/run', homedir(), tmpdir()] : [homedir(), tmpdir()]
/** Only one of them in the gate. */
const places = process.env['GANTRY_FULL'] === 'on' ? everywhere : everywhere.slice(0, 1)
describe.skipIf(lacking !== undefined).each(places)(`${title}, with the data in %s`, (parent) => {
  let server: FakeServer
  let agent: AgentProcess
  let data: string

  beforeAll(async () => {
    server = await fakeServer()
    agent = await agentProcess(server.url, {}, parent)
    data = join(agent.home, 'data')
    writeFileSync(join(data, 'secret-key'), 'installation key', { mode: 0o644 })
    mkdirSync(join(data, 'postgres'))
    writeFileSync(join(data, 'postgres/base'), 'rows', { mode: 0o644 })
    // all permissions are open, so only the mounts protect the data
    spawnSync('chmod', ['-R', 'a+rX', data])
  })
  afterAll(async () => {
    await agent.close()
    await server.close()
  })

  async function run(text: string, more: Parameters<typeof work>[1] = {}): Promise<FakeBuild> {
    const build = server.give(work([script(text)], more))
    await build.ended
    return build
  }

  test('does not see the installation’s key, the database, or the agent’s credential and folder', async () => {
    const build = await run(`
      cat ${data}/secret-key ${data}/postgres/base ${agent.home}/token ${agent.dir}/agent 2>&1 || true
      ls -A ${agent.dir} ${agent.dir}/builds ${data} 2>&1 || true
      find / -xdev ${packages} \\( -name secret-key -o -name build.json -o -path '*/steps/*/spool' \\) -print 2> /dev/null || true
    `)
    const log = build.log(0)
    expect(log).not.toMatch(/installation key|rows|the-token|build\.json|steps.*spool/)
    expect(log).not.toMatch(/\/secret-key$/m)
    expect(log).toMatch(/No such file|cannot/)
  })

  test('has its own user, no groups, no rights, and no way to gain any', async () => {
    const build = await run('id -u; id -G; grep -E "^(Cap|NoNewPrivs)" /proc/self/status; umask')
    const [uid = '', groups, ...rest] = build.log(0).trim().split('\n')
    // an ordinary user's step is root of a namespace, which gives it no rights outside
    if (root) expect(Number(uid)).toBeGreaterThanOrEqual(61_000)
    if (root) expect(groups).toBe(uid)
    for (const line of rest.filter((l) => l.startsWith('Cap'))) expect(line).toMatch(/^Cap\w+:\t0+$/)
    expect(rest).toContain('NoNewPrivs:\t1')
    const escape = await run(`set +e
      umount /tmp; umount ${agent.dir}/build; umount ${data}; mount --bind / /mnt
      unshare --user --map-root-user --mount sh -c 'umount /tmp; umount ${data}; cat ${data}/secret-key'
      cat /proc/1/environ /proc/1/root/etc/shadow
      kill -9 1; echo still here`)
    expect(escape.log(0)).not.toMatch(/installation key|root:/)
    expect(escape.log(0)).toMatch(/still here/)
  })

  test('sees only its own processes, and no environment of the agent or of another build', async () => {
    const neighbour = server.give(
      work([script('echo up; sleep 20')], { environment: [{ name: 'NEIGHBOUR', value: 'the neighbour’s secret' }] }),
    )
    await eventually(
      () => neighbour.log(0),
      (log) => log === 'up\n',
    )
    const build = await run(`
      ls /proc | grep -c '^[0-9]'
      cat /proc/*/environ 2> /dev/null | tr '\\0' '\\n'
      cat /proc/${agent.pid()}/environ 2>&1 || true
    `)
    server.cancel(neighbour.work.jobId)
    await neighbour.ended
    const [count, ...rest] = build.log(0).split('\n')
    expect(Number(count)).toBeLessThan(8)
    expect(rest.join('\n')).not.toMatch(/neighbour|GANTRY_AGENT_TOKEN_FILE/)
    expect(rest.join('\n')).toMatch(/CI=true/)
  })

  test('sees no workspace, home, temporary or shared-memory file of another build', async () => {
    const mark = 'of the neighbour'
    const neighbour = server.give(
      work([
        script(`
          for place in . "$HOME" /tmp /var/tmp /dev/shm; do echo "${mark}" > "$place/neighbours-file"; chmod 777 "$place" "$place/neighbours-file" || true; done
          echo up; sleep 20`),
      ]),
    )
    await eventually(
      () => neighbour.log(0),
      (log) => log.includes('up'),
    )
    const build = await run(`
      find / -xdev ${packages} -name neighbours-file -print 2> /dev/null || true
      cat /tmp/neighbours-file /var/tmp/neighbours-file /dev/shm/neighbours-file 2>&1 || true
      ls -A . "$HOME" /tmp /dev/shm
    `)
    server.cancel(neighbour.work.jobId)
    await neighbour.ended
    expect(build.log(0)).not.toContain(mark)
    expect(build.log(0)).not.toMatch(/^\/.*neighbours-file$/m)
  })

  test('leaves no process behind, whatever it does', async () => {
    const mark = `${process.pid}${Date.now() % 1000}`
    const build = await run(`
      sleep 86${mark} &
      setsid sleep 87${mark} < /dev/null > /dev/null 2>&1 &
      (trap '' TERM HUP INT; setsid sh -c 'trap "" TERM HUP INT; sleep 88${mark}; true' &) &
      sleep 0.1; echo started
    `)
    expect(build.log(0)).toBe('started\n')
    expect(processes(mark)).toEqual([])
    await expect.poll(() => readdirSync(join(agent.dir, 'builds'))).toEqual([])
  })

  test('is ended with everything that it started when the build is stopped, even if it ignores the request', async () => {
    const mark = `${process.pid}${Date.now() % 1000}`
    const build = server.give(
      work([
        script(
          `trap 'echo asked' TERM; setsid sh -c 'trap "" TERM; sleep 89${mark}; true' & echo up; while :; do sleep 0.05; done`,
        ),
        script('echo never', { always: true }),
      ]),
    )
    await eventually(
      () => build.log(0),
      (log) => log === 'up\n',
    )
    server.cancel(build.work.jobId)
    expect(await build.ended).toMatchObject({ state: 'aborted', reason: { key: 'agents-stopped' } })
    expect(build.log(0)).toContain('asked')
    expect(build.events).toContainEqual(expect.objectContaining({ step: 0, state: 'aborted' }))
    expect(build.events).toContainEqual(expect.objectContaining({ step: 1, state: 'not_built' }))
    expect(processes(mark)).toEqual([])
  })

  test('gets its variables unchanged, and no program that runs as the agent gets them', async () => {
    const evil = join(agent.home, 'evil')
    const build = await run('env | sort; cat <<E\n$ODD\nE', {
      environment: [
        { name: 'LD_PRELOAD', value: '/nowhere/evil.so' },
        { name: 'ENV', value: `$(touch ${evil})` },
        { name: 'ODD', value: `'"\`$(touch ${evil})\\\n\u00e9` },
        { name: 'not a name; touch x', value: '' },
      ],
    })
    expect(build.log(0)).toContain(`'"\`$(touch ${evil})\\\n\u00e9`)
    // the loader complains in the step's own programs, but not in those before it
    expect(build.log(0)).not.toMatch(/mount|setpriv|unshare.*preload/i)
    expect(existsSync(evil)).toBe(false)
  })

  test('cannot change what the next step of its build sees', async () => {
    const build = server.give(
      work([
        script(`set +e
          rm -rf ../tmp ../work ../home; mv ../tmp ../old; ln -sfn ${data} ../tmp; ln -sfn ${data} ../work
          echo 'echo taken over' > ../steps/1/script; mkdir -p ../steps/1; true`),
        script(`ls -A /tmp . ..; cat /tmp/secret-key secret-key 2>&1 || true`),
      ]),
    )
    expect(await build.ended).toMatchObject({ state: 'success' })
    expect(build.log(1)).not.toMatch(/installation key|taken over/)
  })

  test('does not get the product’s own tools', async () => {
    const build = await run('echo "$PATH"; env')
    expect(build.log(0)).not.toMatch(/node_modules|GANTRY_AGENT|GANTRY_SERVER/)
  })
})

function processes(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((arg) => arg.endsWith(mark))
    } catch {
      return false
    }
  })
}
