import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(existsSync)

/** Whether this machine has an OpenSSH server for tests. */
export const hasSshServer = program !== undefined

/**
 * A real OpenSSH server on 127.0.0.1, with one repository and one key that may read it. On the branch `nested` the
 * repository is its own submodule `lib`.
 */
export interface SshServer {
  port: number
  /** `ssh://<user>@127.0.0.1:<port><path of the repository>` */
  url: string
  privateKey: string
  /** A key that the server does not know. */
  strangeKey: string
  /** The host key as a line of known_hosts. */
  knownHosts: string
  /** The host key in the form of `ssh-keygen -l`. */
  fingerprint: string
  close: () => void
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })

/** Starts sshd, which cannot take port 0; if another process takes the chosen port first, tries another one. */
async function startDaemon(config: string): Promise<{ daemon: ChildProcess; port: number }> {
  for (let left = 4; ; left -= 1) {
    const port = await freePort()
    const args = ['-D', '-e', '-f', config, '-o', `Port=${port}`]
    const daemon = spawn(program ?? 'sshd', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    const listens = await new Promise<boolean>((done, failed) => {
      daemon.stderr.on('data', (part: Buffer) => {
        said += part.toString()
        if (said.includes('Server listening on')) done(true)
      })
      daemon.once('close', () => done(false)).once('error', failed)
    })
    if (listens) return { daemon, port }
    if (left === 0) throw new Error(`sshd does not start: ${said}`)
  }
}

export async function sshServer(): Promise<SshServer> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-sshd-'))
  const at = (name: string): string => join(home, name)
  for (const name of ['host', 'user', 'strange'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', at(name)])
  writeFileSync(at('authorized'), readFileSync(at('user.pub')), { mode: 0o600 })

  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: home, env })
  git('init', '--quiet', '--bare', '--initial-branch=main', 'hello.git')
  git('--git-dir=hello.git', 'config', 'uploadpack.allowFilter', 'true')
  const commit = 'commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 5\nFirst\n'
  const file = 'M 100644 inline hello.txt\ndata 6\nhello\n\n'
  const put = (input: string) =>
    execFileSync('git', ['--git-dir=hello.git', 'fast-import', '--quiet'], { cwd: home, env, input })
  put(commit + file)
  const main = git('--git-dir=hello.git', 'rev-parse', 'main').toString().trim()
  const modules = '[submodule "lib"]\n\tpath = lib\n\turl = ../hello.git\n'
  const inline = `M 100644 inline .gitmodules\ndata ${modules.length}\n${modules}\nM 160000 ${main} lib\n`
  put(commit.replace('main', 'nested') + inline)
  chmodSync(home, 0o755)

  // sshd of a Debian package needs this folder, which its service creates at every start
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const options = {
    ListenAddress: '127.0.0.1',
    HostKey: at('host'),
    PidFile: 'none',
    AuthorizedKeysFile: at('authorized'),
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    PermitRootLogin: 'prohibit-password',
    StrictModes: 'no',
    UsePAM: 'no',
  }
  writeFileSync(
    at('config'),
    Object.entries(options)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  )
  const { daemon, port } = await startDaemon(at('config'))
  const hostKey = readFileSync(at('host.pub'), 'utf8').trim()
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', at('host.pub')], { encoding: 'utf8' }).split(' ')
  return {
    port,
    url: `ssh://${userInfo().username}@127.0.0.1:${port}${at('hello.git')}`,
    privateKey: readFileSync(at('user'), 'utf8'),
    strangeKey: readFileSync(at('strange'), 'utf8'),
    knownHosts: `[127.0.0.1]:${port} ${hostKey}`,
    fingerprint,
    close() {
      daemon.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
