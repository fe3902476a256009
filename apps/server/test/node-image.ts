import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { lab } from './lab.ts'
import type { Kubectl } from './kubectl.ts'

const run = promisify(execFile)

/**
 * The minimum that the manual requires of an image for a cluster's agent, in the lab's cluster: `node` on the PATH,
 * here this process's own, and its libraries. Returns the image's name.
 */
export async function labNodeImage(kubectl: Kubectl): Promise<string> {
  const name = `localhost/node:${process.versions.node}`
  const known = await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].status.images[*].names[*]}'])
  if (known.split(' ').includes(name)) return name
  const root = mkdtempSync(join(tmpdir(), 'gantry-node-image-'))
  try {
    const put = (from: string, to: string) => {
      mkdirSync(dirname(join(root, to)), { recursive: true })
      cpSync(realpathSync(from), join(root, to))
    }
    put(process.execPath, '/usr/local/bin/node')
    const { stdout } = await run('ldd', [process.execPath])
    for (const [, path = ''] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)) put(path, path)
    chmodSync(root, 0o755)
    await run(join(lab, 'kube', 'kube'), ['image', name, root, 'node'])
  } finally {
    rmSync(root, { recursive: true })
  }
  return name
}
