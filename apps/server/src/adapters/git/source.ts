/** `local` is only for the product itself; it never contains user input. */
export type Repository =
  | { kind: 'remote'; url: string; username?: string | undefined; password?: string | undefined }
  | { kind: 'ssh'; url: string; privateKey: string; knownHosts: string }
  | { kind: 'local'; path: string }

export interface HostKey {
  type: string
  /** In the form of `ssh-keygen -l`. */
  fingerprint: string
  /** The line for `knownHosts`. */
  knownHosts: string
}

/** The files of one run of ssh, in a temporary home. */
export interface SshRun {
  prepare: (home: string) => Promise<string>
  ended: (home: string) => Promise<void>
  /** The host key that the server presented in this run. */
  presented: () => HostKey | undefined
}

export interface Source {
  target: string
  host: string
  /** Whether a password or a private key is given. */
  withPassword: boolean
  protocols: 'http:https' | 'file' | 'ssh'
  config: Record<string, string>
  ssh?: SshRun
}
