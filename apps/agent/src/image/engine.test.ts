import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { engineScript, exits, resultOf, type EngineBuild } from './engine.ts'

const dir = mkdtempSync(join(tmpdir(), 'gantry-engine-'))
const work = join(dir, "it's a place")
const bin = join(dir, 'bin')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
beforeEach(() => {
  rmSync(bin, { recursive: true, force: true })
  for (const path of [join(work, 'src'), bin]) mkdirSync(path, { recursive: true })
  for (const tool of ['cat', 'mkdir', 'rm', 'tar', 'sed', 'printf']) symlinkSync(`/bin/${tool}`, join(bin, tool))
})

/** An engine that records its arguments, one per line, and answers like the real one. */
function engine(name: string): void {
  const file = join(bin, name)
  writeFileSync(
    file,
    `#!/bin/sh
for word; do printf '%s\\n' "$word" >> '${dir}/words'; done
for word; do case $word in
  --iidfile=*) printf 'sha256:abc' > "\${word#*=}" ;;
  pull) echo base-id ;;
  load) cat > /dev/null; echo 'Loaded image ID: sha256:base-id' ;;
  save) cd '${dir}' && tar -c words ;;
esac; done
exit 0
`,
  )
  chmodSync(file, 0o755)
}

const plain: EngineBuild = { context: 'src', dockerfile: '/steps/3/dockerfile', bases: [], arguments: [], target: '' }

async function run(build: Partial<EngineBuild>): Promise<{ code: number; words: string[] }> {
  rmSync(join(dir, 'words'), { force: true })
  const env = { PATH: bin, HOME: dir }
  const script = engineScript({ ...plain, ...build }, 3)
  const code = await new Promise<number>((done) => {
    const child = execFile('/bin/sh', ['-e', '-c', script], { cwd: work, env })
    child.on('exit', (ended) => done(ended ?? -1))
  })
  const words = code === 0 ? readFileSync(join(dir, 'words'), 'utf8').split('\n') : []
  return { code, words: words.slice(0, -1) }
}

describe('an engine', () => {
  test('gets every value as one word, whatever it contains, and no option after the last one', async () => {
    engine('buildah')
    const value = `$(touch ${dir}/owned) "quoted" 'too' ; --help \`x\`\nnext`
    const { words } = await run({ arguments: [{ name: 'A', value }], target: 'last' })
    const text = words.join('\n')
    expect(text).toContain(`--build-arg=A=${value}\n--target=last\n--file=/steps/3/dockerfile\n--\nsrc`)
    expect(text).not.toContain('owned)\n')
  })

  test.each(['buildah', 'podman'])('%s takes base images from folders, builds, and leaves a folder', async (name) => {
    engine(name)
    const { code, words } = await run({ bases: [{ name: 'localhost/base:latest', layout: join(work, 'src') }] })
    expect(code).toBe(0)
    const text = words.join(' ')
    expect(text).toContain('pull -q oci:src')
    expect(text).toContain('tag base-id localhost/base:latest')
    expect(text).toContain('build --isolation=chroot')
    expect(text).toContain(`push -q abc oci:${dir}/${resultOf(3)}`)
  })

  test('docker is tried last, and only if its service answers', async () => {
    engine('docker')
    const { words } = await run({ bases: [{ name: 'localhost/base:latest', layout: work }] })
    const text = words.join(' ')
    expect(text).toContain('load -q tag sha256:base-id localhost/base:latest build')
    expect(text).toContain('save sha256:abc')
    expect(readFileSync(join(dir, resultOf(3), 'words'), 'utf8')).toContain('save')
  })

  test('a missing engine and a missing folder have different exit codes', async () => {
    expect((await run({})).code).toBe(exits.engineMissing)
    expect((await run({ context: 'other' })).code).toBe(exits.contextMissing)
  })
})
