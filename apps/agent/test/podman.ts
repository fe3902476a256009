import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const busybox = '/bin/busybox'
const applets = ['sh', 'cat', 'dd', 'echo', 'env', 'grep', 'head', 'httpd', 'id', 'kill', 'ls', 'mkdir']
const more = ['mount', 'nc', 'printf', 'ps', 'seq', 'sleep', 'stat', 'tail', 'test', 'touch', 'wget']

const there = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** The reason why real containers cannot be tested here; '' if they can. */
export const whyNoPodman =
  process.getuid?.() !== 0
    ? 'needs root'
    : !there('podman')
      ? 'needs podman'
      : existsSync(busybox)
        ? ''
        : 'needs busybox-static'

export interface Podman {
  /** The value of GANTRY_AGENT_CONTAINER_ENGINE. */
  program: string
  /** A local image with a shell and a few tools. */
  image: string
  /** Serves its /etc on port 8080 shortly after its start, with the value of SAID in it; `broken` ends at once. */
  web: string
  broken: string
  containers: () => string[]
  close: () => void
}

/** A podman with its own storage below a folder, and one image in it. */
export function ownPodman(dir: string): Podman {
  const program = join(dir, 'podman')
  const storage = join(dir, 'storage.conf')
  // for the users that containers are mapped to
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  chmodSync(dirname(dir), 0o755)
  writeFileSync(
    storage,
    // not every kernel can map the users of overlaid files
    `[storage]\ndriver = "vfs"\ngraphroot = "${dir}/store"\nrunroot = "${dir}/run"\n`,
  )
  const runtime = there('runc') ? '--runtime runc' : ''
  writeFileSync(program, `#!/bin/sh\nCONTAINERS_STORAGE_CONF=${storage} exec podman ${runtime} "$@"\n`, { mode: 0o755 })
  const ask = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`podman ${words[0]}: ${stderr}`)
    return stdout
  }
  const root = join(dir, 'root')
  for (const folder of ['bin', 'etc', 'tmp', 'proc', 'dev', 'sys', 'root'])
    mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(busybox, join(root, 'bin/busybox'))
  for (const applet of [...applets, ...more]) symlinkSync('busybox', join(root, 'bin', applet))
  writeFileSync(join(root, 'etc/of-the-image'), 'yes\n')
  const archive = join(dir, 'root.tar')
  spawnSync('tar', ['-C', root, '-cf', archive, '.'])
  const image = 'localhost/gantry-test:1'
  ask('import', '--quiet', archive, image)
  const [web, broken] = ['localhost/gantry-web:1', 'localhost/gantry-broken:1']
  ask(
    'import',
    '--quiet',
    '--change',
    `CMD ["/bin/sh", "-c", "sleep 1; echo $SAID > /etc/said; exec httpd -f -p 8080 -h /etc"]`,
    archive,
    web,
  )
  ask('import', '--quiet', '--change', `CMD ["/bin/sh", "-c", "echo no $SAID; exit 1"]`, archive, broken)
  // this kind of storage belongs to the user of the last container, and others must be able to pass through
  for (const folder of ['store/vfs', 'store/vfs/dir']) chmodSync(join(dir, folder), 0o711)
  return {
    program,
    image,
    web,
    broken,
    containers: () =>
      ask('ps', '--all', '--format', '{{.Names}}')
        .split('\n')
        .filter((name) => name !== ''),
    close() {
      spawnSync(program, ['rm', '--all', '--force'])
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
