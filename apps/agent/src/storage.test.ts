import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { script, work } from '../test/works.ts'

/** A disk of four megabytes, which only root can create. */
describe.skipIf(process.getuid?.() !== 0)('a full disk (needs root)', () => {
  let server: FakeServer
  let agent: AgentProcess
  let disk: string

  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'gantry-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
    server = await fakeServer()
    agent = await agentProcess(server.url, {}, disk)
  })
  afterAll(async () => {
    await agent.close()
    await server.close()
    spawnSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  test('a step that fills it gets the error, and its log up to there arrives', async () => {
    const build = server.give(work([script('echo begun; head -c 9000000 /dev/zero | tr "\\0" x')]))
    expect(await build.ended).toMatchObject({ state: 'failed' })
    expect(build.log(0)).toMatch(/^begun\nx+/)
  })

  test('a build that finds it full fails with that cause, and the next one runs when there is space', async () => {
    // the previous build's files are removed after its end was reported, and would free space during this one
    await expect.poll(() => readdirSync(join(agent.dir, 'builds'))).toEqual([])
    const filler = openSync(join(disk, 'filler'), 'a')
    const filling = setInterval(() => fill(filler), 1)
    fill(filler)
    const build = server.give(work([script('echo x')]))
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-storage-full' } })
    clearInterval(filling)
    closeSync(filler)
    rmSync(join(disk, 'filler'))
    // the kernel takes a moment to count freed space
    await expect.poll(async () => (await server.give(work([script('echo x')])).ended).state).toBe('success')
    await expect.poll(() => readdirSync(join(agent.dir, 'builds'))).toEqual([])
  })
})

/** Fills the free space; called again, it fills the space that was freed since. */
function fill(file: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(64 * 1024))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
  }
}
