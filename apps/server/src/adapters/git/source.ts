/** `local` is for the product itself; no user input becomes one. */
export type Repository =
  | { kind: 'remote'; url: string; username?: string | undefined; password?: string | undefined }
  | { kind: 'ssh'; url: string; privateKey: string; knownHosts: string }
  | { kind: 'local'; path: string }

export interface HostKey {
  type: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  /** The line for `knownHosts`. */
  knownHosts: string
}

/** The files of one run of ssh, in a home that is removed after it. */
export interface SshRun {
  prepare: (home: string) => Promise<string>
  ended: (home: string) => Promise<void>
  /** The host key that the run met. */
  met: () => HostKey | undefined
}

export interface Source {
  target: string
  host: string
  /** Whether there is a password, or a private key. */
  withPassword: boolean
  protocols: 'http:https' | 'file' | 'ssh'
  config: Record<string, string>
  ssh?: SshRun
}
