import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Work } from '@gantry/contract/agents/work'
import { work } from '../../test/works.ts'
import { keptWorkspaces } from './kept.ts'
import { makeJobDir, type Workspace, workOf } from './workspace.ts'

const root = process.getuid?.() === 0
const mb = 1024 ** 2
const bounds = { count: 2, bytes: 8 * mb, ms: 1000 }
const keyOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

let dir: string
let now = 0
const warnings: unknown[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gantry-kept-'))
  warnings.length = 0
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
  expect(warnings).toEqual([])
})

const open = (more: Partial<typeof bounds> = {}) =>
  keptWorkspaces(
    dir,
    { ...bounds, ...more },
    (_, message, more) => warnings.push([message, more]),
    () => now,
  )
const room = (files: Record<string, string> = {}, uid?: number): Workspace => {
  const made = makeJobDir(dir, Work.parse(work([])), { index: 0, ...(uid !== undefined && { uid }) }, [])
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workOf(made), name), text)
  return made
}
const keptKeys = () =>
  readdirSync(join(dir, 'kept'))
    .filter((name) => !name.startsWith('gone-'))
    .sort()

test('a workspace is kept and can be taken once, only by its key; home and /tmp are not kept', async () => {
  const kept = open()
  const failed = room({ made: 'once' })
  writeFileSync(join(failed.dir, 'fs/home/token'), 'x')
  await kept.keep(failed, keyOf(1))
  const [other, next, again] = [room(), room(), room()]
  expect(await kept.take(other, keyOf(2))).toBeUndefined()
  expect(await kept.take(next, keyOf(1))).toBe(1)
  expect(readFileSync(join(workOf(next), 'made'), 'utf8')).toBe('once')
  expect(readdirSync(join(next.dir, 'fs/home'))).toEqual([])
  expect(await kept.take(again, keyOf(1))).toBeUndefined()
  expect([readdirSync(workOf(other)), readdirSync(workOf(again))]).toEqual([[], []])
  expect(keptKeys()).toEqual([])
})

test('only the agent can enter a kept workspace', async () => {
  const kept = open()
  await kept.keep(room({ made: '' }), keyOf(1))
  expect([statSync(join(dir, 'kept')).mode & 0o777, statSync(join(dir, 'kept', keyOf(1))).mode & 0o777]).toEqual([
    0o700, 0o700,
  ])
})

test.each(['', '..', '../builds', keyOf(1).toUpperCase().replace('0', 'A'), `${keyOf(1)}/..`])(
  'nothing is kept or found under %j',
  async (key) => {
    const kept = open()
    await kept.keep(room({ made: '' }), key)
    expect(keptKeys()).toEqual([])
    expect(await kept.take(room(), key)).toBeUndefined()
  },
)

test('a checkout’s repository is not kept, whether it is a folder or a link', async () => {
  const kept = open()
  const withFolder = room({ made: '' })
  mkdirSync(join(workOf(withFolder), '.git/hooks'), { recursive: true })
  const withLink = room({ made: '' })
  symlinkSync('/nowhere', join(workOf(withLink), '.git'))
  for (const [at, failed] of [withFolder, withLink].entries()) {
    await kept.keep(failed, keyOf(at))
    const next = room()
    await kept.take(next, keyOf(at))
    expect(readdirSync(workOf(next))).toEqual(['made'])
  }
})

test('the oldest are removed beyond the number and the bytes, and one that is too large is not kept', async () => {
  const kept = open()
  const sized = (n: number) => room({ large: 'x'.repeat(n * mb) })
  for (const n of [1, 2, 3]) {
    now += 10
    await kept.keep(sized(1), keyOf(n))
  }
  expect(keptKeys()).toEqual([keyOf(2), keyOf(3)])
  now += 10
  await kept.keep(sized(7.5), keyOf(4))
  expect(keptKeys()).toEqual([keyOf(4)])
  await kept.keep(sized(9), keyOf(5))
  expect(keptKeys()).toEqual([keyOf(4)])
})

test('none is kept beyond its time, or if the setting is 0', async () => {
  const kept = open()
  await kept.keep(room({ made: '' }), keyOf(1))
  now += bounds.ms + 1
  const next = room()
  expect(await kept.take(next, keyOf(1))).toBeUndefined()
  expect(existsSync(join(workOf(next), 'made'))).toBe(false)
  kept.sweep()
  expect(keptKeys()).toEqual([])
  await open({ count: 0 }).keep(room({ made: '' }), keyOf(1))
  expect(keptKeys()).toEqual([])
})

test('a restarted agent knows the kept workspaces, and removes those that it cannot read', async () => {
  await open().keep(room({ made: 'once' }), keyOf(1))
  mkdirSync(join(dir, 'kept', keyOf(2)))
  mkdirSync(join(dir, 'kept/gone-1-1'))
  const kept = open()
  expect(keptKeys()).toEqual([keyOf(1)])
  expect(await kept.take(room(), keyOf(1))).toBe(1)
  await kept.keep(room({ made: '' }), keyOf(3))
  await kept.empty()
  expect(keptKeys()).toEqual([])
})

test.runIf(root)('files are given to the user of the next slot, but not the targets of links', async () => {
  const kept = open()
  const outside = join(dir, 'outside')
  writeFileSync(outside, '')
  const failed = room({ made: '' }, 61_500)
  symlinkSync(outside, join(workOf(failed), 'link'))
  await kept.keep(failed, keyOf(1))
  const next = room({}, 61_501)
  expect(await kept.take(next, keyOf(1))).toBe(1)
  expect(['', 'made', 'link'].map((name) => lstatSync(join(workOf(next), name)).uid)).toEqual([61_501, 61_501, 61_501])
  expect(statSync(outside).uid).toBe(0)
})
